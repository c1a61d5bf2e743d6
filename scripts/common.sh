# Shared by scripts/demo, scripts/test and .ci/run: installs what is missing, configures, builds.
# Sourced by bash, with $root set to the project's folder.

# What is needed, as "a file or command that shows it is there : the Debian package that brings it".
tc_needs=(
    "clang++-22:clang-22"
    "/usr/lib/llvm-22/lib/cmake/clang/ClangConfig.cmake:libclang-22-dev"
    "/usr/lib/llvm-22/lib/cmake/llvm/LLVMConfig.cmake:llvm-22-dev"
    "/usr/include/z3.h:libz3-dev"
    "/usr/include/cjson/cJSON.h:libcjson-dev"
    "/usr/include/uthash.h:uthash-dev"
    "/usr/include/pcre2.h:libpcre2-dev"
    "/usr/include/utf8proc.h:libutf8proc-dev"
    "cmake:cmake"
    "ninja:ninja-build"
    "pkg-config:pkg-config"
)
tc_needs_test=(
    "/usr/include/cmocka.h:libcmocka-dev"
    "/usr/lib/llvm-22/bin/FileCheck:llvm-22-tools"
    "/usr/lib/llvm-22/bin/llc:llvm-22"
    "python3:python3"
    "g++:g++"
    "cvc5:cvc5"
    "/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.tsan-$(uname -m).a:libclang-rt-22-dev"
)
tc_needs_sanitize=("/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.asan-x86_64.so:libclang-rt-22-dev")

# tc_install NEED…: installs the packages of those that are missing.
tc_install() {
    local need shown missing=()
    for need in "$@"; do
        shown=${need%%:*}
        case $shown in
        /*) [ -e "$shown" ] || missing+=("${need#*:}") ;;
        *) command -v "$shown" >/dev/null 2>&1 || missing+=("${need#*:}") ;;
        esac
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "Installing: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "error: install these packages first: apt-get install ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "error: no apt-get here; install what these Debian packages hold: ${missing[*]}" >&2
        return 1
    fi
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } \
        >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "error: apt-get could not install: ${missing[*]}" >&2
        return 1
    fi
    rm -f "$log"
}

# tc_build PRESET FOLDER [CMAKE_OPTION…]: configures and builds; prints the log only when something fails.
tc_build() {
    local preset=$1 folder=$2 log
    shift 2
    log=$folder/build.log
    mkdir -p "$folder"
    echo "Building in ${folder#"$root"/} …"
    if ! (cd "$root" && cmake --preset "$preset" "$@" && cmake --build "$folder") >"$log" 2>&1; then
        grep -E -m 40 'error|Error|FAILED|undefined|warning:' "$log" >&2 || tail -n 40 "$log" >&2
        echo "error: the build failed; the whole log is in $log" >&2
        return 1
    fi
}
