#include "plugin/report.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;

namespace tilecheck {

static std::error_code writeTo(int fd, llvm::StringRef text, bool close = true) {
    llvm::raw_fd_ostream out(fd, close);
    out << text;
    if (close)
        out.close();
    else
        out.flush();
    std::error_code error = out.error();
    out.clear_error();
    return error;
}

static std::error_code writeInPlace(llvm::StringRef path, llvm::StringRef text) {
    int fd;
    if (std::error_code error = fs::openFileForWrite(path, fd, fs::CD_OpenExisting, fs::OF_Append))
        return error;
    return writeTo(fd, text);
}

static std::error_code writeAndRename(llvm::StringRef path, llvm::StringRef text) {
    int fd;
    llvm::SmallString<128> temporary;
    if (std::error_code error = fs::createUniqueFile(path + ".%%%%%%%%", fd, temporary))
        return error;
    std::error_code error = writeTo(fd, text);
    if (!error)
        error = fs::rename(temporary, path);
    if (error)
        (void)fs::remove(temporary);
    return error;
}

// A device or a pipe cannot be replaced, and the names of open files lead to files that are not ours to replace.
static bool isSpecial(llvm::StringRef path) {
    fs::file_status status;
    if (fs::status(path, status) || !fs::exists(status))
        return false;
    return path.starts_with("/dev/") || path.starts_with("/proc/") ||
           (status.type() != fs::file_type::regular_file && status.type() != fs::file_type::directory_file);
}

std::string writeReport(llvm::StringRef path, llvm::StringRef text) {
    std::error_code error;
    if (path == "/dev/stdout")
        error = writeTo(1, text, false);
    else if (isSpecial(path))
        error = writeInPlace(path, text);
    else {
        llvm::SmallString<128> real; // through links
        error = writeAndRename(fs::real_path(path, real) ? path : real.str(), text);
    }
    return error ? error.message() : "";
}

} // namespace tilecheck
