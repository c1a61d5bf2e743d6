#include "plugin/source.h"

#include "clang/Basic/FileManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tilecheck {

SourceMap::SourceMap(SourceManager &manager, const LangOptions &options) : sm(manager), lang(options) {
    PresumedLoc start = sm.getPresumedLoc(sm.getLocForStartOfFile(sm.getMainFileID()));
    file(start.isValid() ? start.getFilename() : "<unknown>");
}

uint32_t SourceMap::file(llvm::StringRef name) {
    auto added = index.try_emplace(name, static_cast<uint32_t>(names.size()));
    if (added.second)
        names.push_back(name.str());
    return added.first->second;
}

tc_loc SourceMap::place(SourceRange range) {
    tc_loc loc = {};
    if (range.isInvalid())
        return loc;
    CharSourceRange chars = sm.getExpansionRange(range);
    PresumedLoc begin = sm.getPresumedLoc(chars.getBegin());
    if (begin.isInvalid())
        return loc;
    loc.file = file(begin.getFilename());
    loc.line = begin.getLine();
    loc.column = begin.getColumn();
    SourceLocation last = chars.getEnd();
    if (chars.isTokenRange())
        last = Lexer::getLocForEndOfToken(last, 0, sm, lang);
    PresumedLoc end = sm.getPresumedLoc(last);
    if (end.isValid() && begin.getFileID() == end.getFileID()) {
        loc.end_line = end.getLine();
        loc.end_column = end.getColumn();
    }
    return loc;
}

void SourceMap::addFiles(const llvm::Module &module, llvm::StringRef folder) {
    llvm::DebugInfoFinder finder;
    finder.processModule(module);
    auto add = [&](const llvm::DIScope *scope) {
        const llvm::DIFile *f = scope ? scope->getFile() : nullptr;
        if (!f)
            return;
        // Debug info splits an absolute name where it leaves the compilation's folder, and gives that folder to a
        // relative one.
        llvm::SmallString<256> joined(f->getDirectory());
        llvm::sys::path::append(joined, f->getFilename());
        if (!index.count(joined))
            file(f->getDirectory() == folder ? f->getFilename() : llvm::StringRef(joined));
    };
    for (const llvm::DISubprogram *s : finder.subprograms())
        add(s);
    for (const llvm::DIScope *s : finder.scopes())
        add(s);
}

SourceLocation SourceMap::location(uint32_t f, uint32_t line, uint32_t column) {
    if (f >= names.size() || line == 0)
        return SourceLocation();
    auto entry = sm.getFileManager().getOptionalFileRef(names[f]);
    if (!entry)
        return SourceLocation();
    FileID id = sm.translateFile(*entry);
    if (id.isInvalid())
        id = sm.getOrCreateFileID(*entry, SrcMgr::C_User);
    return id.isInvalid() ? SourceLocation() : sm.translateLineCol(id, line, column ? column : 1);
}

CharSourceRange SourceMap::range(const tc_loc &loc) {
    SourceLocation begin = location(loc.file, loc.line, loc.column);
    SourceLocation end = loc.end_line ? location(loc.file, loc.end_line, loc.end_column) : begin;
    return CharSourceRange::getCharRange(begin, end);
}

std::string SourceMap::text(const tc_loc &loc) const {
    if (loc.file >= names.size() || loc.line == 0)
        return "";
    return names[loc.file] + ":" + std::to_string(loc.line) + ":" + std::to_string(loc.column);
}

} // namespace tilecheck
