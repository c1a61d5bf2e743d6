# The project's kinds of targets. Each one is skipped, with a message, while its folder has no source.

set(TC_C_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
# LLVM's and Clang's own headers are system headers; -Wpedantic and -Wconversion add nothing to the glue.
set(TC_CXX_WARNINGS -Wall -Wextra -Wshadow -Wno-unused-parameter)
if(TC_WERROR)
  list(APPEND TC_C_WARNINGS -Werror)
  list(APPEND TC_CXX_WARNINGS -Werror)
endif()

# The plugin is loaded into a Clang that is not sanitized, so the sanitizers' runtime is a shared library everywhere
# (scripts/test preloads it). vptr needs type information that the plugin does not have.
set(TC_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined -shared-libsan
                      -fno-omit-frame-pointer -g)

if(TC_SANITIZE)
  execute_process(
    COMMAND ${CMAKE_C_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
    OUTPUT_VARIABLE TC_ASAN_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

function(tc_options target)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  # Debian's LLVM is built without assertions; those in its headers would not link.
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE> $<$<COMPILE_LANGUAGE:CXX>:NDEBUG>)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:${TC_C_WARNINGS}>
                                           $<$<COMPILE_LANGUAGE:CXX>:${TC_CXX_WARNINGS} -fno-exceptions>)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  endif()
  if(TC_SANITIZE)
    target_compile_options(${target} PRIVATE ${TC_SANITIZE_FLAGS})
    target_link_options(${target} PRIVATE ${TC_SANITIZE_FLAGS})
    get_filename_component(folder ${TC_ASAN_RUNTIME} DIRECTORY)
    target_link_options(${target} PRIVATE -Wl,-rpath,${folder})
  elseif(TC_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=vptr
                                             -fno-sanitize-recover=undefined -g)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

function(tc_sources out)
  set(found)
  foreach(pattern ${ARGN})
    file(GLOB matches CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${pattern})
    list(APPEND found ${matches})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# The layers that exist, from top to bottom, for the linker.
function(tc_layers out)
  set(found)
  foreach(layer tc_checker tc_solver tc_runtime tc_base)
    if(TARGET ${layer})
      list(APPEND found ${layer})
    endif()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# A layer: a static library, linked against the layers below it.
function(tc_layer name)
  tc_sources(sources ${ARGN})
  if(NOT sources)
    message(STATUS "${name}: no sources yet, skipped")
    return()
  endif()
  tc_layers(below)
  add_library(${name} STATIC ${sources})
  tc_options(${name})
  target_link_libraries(${name} PUBLIC ${below})
endfunction()

# The host side of an example: a static library on its own, for its tests (test_q3_*, fuzz_q3_*) and its programs.
function(tc_example name)
  tc_sources(sources ${ARGN})
  add_library(${name} STATIC ${sources})
  tc_options(${name})
  target_link_libraries(${name} PUBLIC PkgConfig::CJSON PkgConfig::PCRE2 PkgConfig::UTF8PROC pthread m)
endfunction()

function(tc_example_program name library)
  tc_sources(sources ${ARGN})
  add_executable(${name} ${sources})
  tc_options(${name})
  target_link_libraries(${name} PRIVATE ${library})
endfunction()

# The host side of CUDA files, as Clang compiles it against the bundled headers: its launches go to whatever runtime is linked.
function(tc_cuda_host name)
  tc_sources(sources ${ARGN})
  add_library(${name} STATIC ${sources})
  tc_options(${name})
  set(cuda ${sources})
  list(FILTER cuda INCLUDE REGEX "[.]cu$")
  set_source_files_properties(
    ${cuda} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS
    "-x;cuda;--cuda-host-only;-nocudainc;-nocudalib;-Wno-unknown-cuda-version;-Wno-sign-compare;-isystem;${CMAKE_SOURCE_DIR}/resources/standin;-include;${CMAKE_SOURCE_DIR}/resources/standin/tilecheck_cuda.h")
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/examples/tk)
endfunction()

# What a test or fuzz target of that name stands on: its example, or the layers.
function(tc_stands_on name out)
  if(name MATCHES "^[a-z]+_q3_")
    set(${out} tk_qwen3_host PARENT_SCOPE)
  elseif(name MATCHES "^test_tk_")
    set(${out} tk_host tk_qwen3_host fake_runtime PARENT_SCOPE)
  else()
    tc_layers(layers)
    set(${out} $<TARGET_NAME_IF_EXISTS:tc_streams> ${layers} PARENT_SCOPE)
  endif()
endfunction()

# The Clang plugin. It takes Clang's symbols from libclang-cpp and LLVM's from libLLVM: the very libraries (by soname)
# that Debian's clang is linked with, so nothing is loaded twice. Debian ships libclang-cpp without a development link.
function(tc_plugin name)
  tc_sources(sources ${ARGN})
  if(NOT sources)
    message(STATUS "${name}.so: no sources yet, skipped")
    return()
  endif()
  tc_layers(layers)
  add_library(${name} MODULE ${sources})
  tc_options(${name})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE TC_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${name} PRIVATE ${layers} ${TC_CLANG_CPP} LLVM)
  if(NOT TC_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)
endfunction()

# A command of one folder of C files; it stands on base, the reader of contracts and the tracker.
function(tc_command target name)
  tc_sources(sources ${ARGN})
  if(NOT sources)
    message(STATUS "${name}: no sources yet, skipped")
    return()
  endif()
  add_executable(${target} ${sources})
  tc_options(${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_compile_definitions(
    ${target} PRIVATE TC_VERSION="${PROJECT_VERSION}" TC_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                      TC_LIBDIR="${CMAKE_INSTALL_LIBDIR}" TC_DATADIR="${CMAKE_INSTALL_DATADIR}")
  if(TC_SANITIZE)
    target_compile_definitions(${target} PRIVATE TC_ASAN_RUNTIME="${TC_ASAN_RUNTIME}")
  endif()
  target_link_libraries(${target} PRIVATE PkgConfig::CJSON)
  foreach(layer tc_runtime tc_base)
    if(TARGET ${layer})
      target_link_libraries(${target} PRIVATE ${layer})
    endif()
  endforeach()
endfunction()

# What the tests of the runtime shim stand on, and the campaign that runs it for long (scripts/streams-campaign).
function(tc_streams_model folder)
  tc_sources(sources "${folder}/*.c")
  list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/${folder}/campaign.c)
  add_library(tc_streams STATIC ${sources})
  add_executable(streams_campaign ${CMAKE_SOURCE_DIR}/${folder}/campaign.c)
  foreach(target tc_streams streams_campaign)
    tc_options(${target})
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/test/unit)
  endforeach()
  target_link_libraries(tc_streams PUBLIC tc_runtime tc_base)
  target_link_libraries(streams_campaign PRIVATE tc_streams)
endfunction()

# Kernels of the shim: checked by the plugin, all of them have to be proved, and compiled to PTX that ends up as a C array of that name. No CUDA
# toolkit is needed. sm_70, PTX 6.3: what the drivers of CUDA 12 and 13 take.
function(tc_device_code source array out)
  set(clang ${LLVM_TOOLS_BINARY_DIR}/clang++)
  set(standin ${CMAKE_SOURCE_DIR}/resources/standin)
  set(ptx ${CMAKE_BINARY_DIR}/${array}.ptx)
  if(NOT TC_SANITIZE) # a sanitized plugin does not load into a Clang that is not; the tests check as well
    set(check -fplugin=$<TARGET_FILE:tilecheck> -fplugin-arg-tilecheck-unknown=error)
  endif()
  add_custom_command(
    OUTPUT ${ptx}
    COMMAND ${clang} -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 -std=c++17 -O2 -Wno-unknown-cuda-version
            -nocudainc -nocudalib -isystem ${standin} -include ${standin}/tilecheck_cuda.h -I${CMAKE_SOURCE_DIR}/include ${check}
            -S ${CMAKE_SOURCE_DIR}/${source} -o ${ptx}
    DEPENDS ${CMAKE_SOURCE_DIR}/${source} $<$<NOT:$<BOOL:${TC_SANITIZE}>>:tilecheck>
    VERBATIM)
  add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/${array}.c
    COMMAND ${CMAKE_COMMAND} -DFROM=${ptx} -DTO=${CMAKE_BINARY_DIR}/${array}.c -DNAME=${array} -P
            ${CMAKE_SOURCE_DIR}/scripts/cmake/array.cmake
    DEPENDS ${ptx} ${CMAKE_SOURCE_DIR}/scripts/cmake/array.cmake
    VERBATIM)
  add_custom_target(${array} DEPENDS ${CMAKE_BINARY_DIR}/${array}.c)
  set(${out} ${CMAKE_BINARY_DIR}/${array}.c PARENT_SCOPE)
endfunction()

# The runtime shim: loaded into the user's process, so it brings nothing along but the C library, and shows its doors only.
function(tc_shim name)
  tc_sources(sources ${ARGN})
  add_library(${name} SHARED ${sources} ${TC_CONTENTS_PTX})
  add_dependencies(${name} shim_contents_ptx)
  tc_options(${name})
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} LINKER_LANGUAGE C)
  target_link_libraries(${name} PRIVATE $<TARGET_FILE:tc_runtime> $<TARGET_FILE:tc_base> ${CMAKE_DL_LIBS} m)
  add_dependencies(${name} tc_runtime tc_base)
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed)
  if(NOT TC_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
endfunction()

# The shim by link-time wrapping: an archive of one object, of which only the wrapped functions and the door can be seen, and the options
# for the linker, which are read off the object.
function(tc_shim_wrapped name)
  tc_sources(sources "runtime-shim/wrap/*.c" "runtime-shim/front/*.c" "runtime-shim/*.c" "base/int128.c" "base/arena.c" "base/trap.c")
  list(FILTER sources EXCLUDE REGEX "front/cupti.c|trace_json.c|trace_text.c")
  add_library(${name}-objects OBJECT ${sources} ${TC_CONTENTS_PTX})
  add_dependencies(${name}-objects shim_contents_ptx)
  tc_options(${name}-objects)
  target_link_libraries(${name}-objects PRIVATE PkgConfig::CJSON)
  set(object ${CMAKE_BINARY_DIR}/${name}.o)
  set(archive ${CMAKE_BINARY_DIR}/lib${name}.a)
  set(options ${CMAKE_BINARY_DIR}/${name}.rsp)
  add_custom_command(
    OUTPUT ${archive} ${options}
    COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${object} $<TARGET_OBJECTS:${name}-objects>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${object}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} rcs ${archive} ${object}
    COMMAND sh ${CMAKE_SOURCE_DIR}/scripts/cmake/wrap-options.sh ${CMAKE_NM} ${object} ${options}
    DEPENDS ${name}-objects $<TARGET_OBJECTS:${name}-objects> ${CMAKE_SOURCE_DIR}/scripts/cmake/wrap-options.sh
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${archive} ${options})
endfunction()

# One executable and one ctest entry for each unit test.
function(tc_unit_tests)
  tc_sources(sources ${ARGN})
  if(NOT sources)
    message(STATUS "unit tests: no sources yet, skipped")
    return()
  endif()
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    tc_options(${name})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/test/unit)
    target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${Z3_INCLUDE_DIR})
    target_compile_definitions(${name} PRIVATE TC_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    tc_stands_on(${name} below)
    target_link_libraries(${name} PRIVATE ${below} PkgConfig::CMOCKA)
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300 ENVIRONMENT
                                            "ASAN_OPTIONS=detect_leaks=0;UBSAN_OPTIONS=print_stacktrace=1")
  endforeach()
endfunction()

# A library that tests preload: it stands in front of another one's functions and needs none of the project's.
function(tc_preload name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_compile_options(${name} PRIVATE ${TC_C_WARNINGS})
  target_include_directories(${name} SYSTEM PRIVATE ${Z3_INCLUDE_DIR})
endfunction()

# The CUDA driver and the CUPTI of the shim's tests, under the names of the real ones, and a program for them, in build/fake/.
function(tc_fake_driver)
  foreach(name cuda cupti)
    add_library(fake_${name} SHARED ${CMAKE_SOURCE_DIR}/test/shim/fake/fake_${name}.c)
  endforeach()
  target_sources(fake_cuda PRIVATE ${CMAKE_SOURCE_DIR}/test/shim/fake/fake_kernels.cpp)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/test/shim/fake/fake_kernels.cpp PROPERTIES OBJECT_DEPENDS
                                                                                            ${CMAKE_SOURCE_DIR}/runtime-shim/kernels/contents.cu)
  target_include_directories(fake_cuda PRIVATE ${CMAKE_SOURCE_DIR}/include)
  set_target_properties(fake_cuda PROPERTIES OUTPUT_NAME cuda SOVERSION 1 LINKER_LANGUAGE C)
  set_target_properties(fake_cupti PROPERTIES OUTPUT_NAME cupti SOVERSION 13)
  target_link_libraries(fake_cupti PRIVATE fake_cuda)
  add_executable(fake_program ${CMAKE_SOURCE_DIR}/test/shim/fake/program.c)
  set_target_properties(fake_program PROPERTIES OUTPUT_NAME program)
  target_link_libraries(fake_program PRIVATE fake_cuda tc_runtime pthread ${CMAKE_DL_LIBS})
  foreach(target fake_cuda fake_cupti fake_program)
    tc_options(${target})
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fake RUNTIME_OUTPUT_DIRECTORY
                                               ${CMAKE_BINARY_DIR}/fake C_VISIBILITY_PRESET default ENABLE_EXPORTS ON)
    target_compile_options(${target} PRIVATE -Wno-missing-prototypes)
  endforeach()
endfunction()

# One libFuzzer executable for each fuzz target.
function(tc_fuzzers)
  tc_sources(sources ${ARGN})
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    tc_options(${name})
    target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${Z3_INCLUDE_DIR})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    tc_stands_on(${name} below)
    target_link_libraries(${name} PRIVATE ${below})
  endforeach()
endfunction()
