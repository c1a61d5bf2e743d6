#include "plugin/names.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tilecheck {

static bool starts(char c) {
    return llvm::isAlpha(c) || c == '_';
}

static bool continues(char c) {
    return llvm::isAlnum(c) || c == '_';
}

// The identifier, number or single character at the front.
static StringRef token(StringRef text) {
    return continues(text.front()) ? text.take_while(continues) : text.take_front();
}

std::string renamed(StringRef text, const llvm::StringMap<std::string> &names) {
    std::string out;
    if (names.empty())
        return text.str();
    StringRef before, last; // the last two tokens that are not space
    while (!text.empty()) {
        StringRef word = token(text);
        text = text.drop_front(word.size());
        bool member = last == "." || (before == "-" && last == ">") || (before == ":" && last == ":");
        auto found = starts(word.front()) && !member ? names.find(word) : names.end();
        out += found == names.end() ? word : StringRef(found->second);
        if (!llvm::isSpace(word.front())) {
            before = last;
            last = word;
        }
    }
    return out;
}

// The end of a template argument list at the front ("<…>"), 0 when there is none. Longer ones than people write are not
// looked at, so that a huge text is read in linear time.
static size_t argumentList(StringRef text) {
    text = text.take_front(256);
    size_t depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '<')
            ++depth;
        else if (c == '>' && --depth == 0)
            return i + 1;
        else if (!continues(c) && !StringRef(" ,:*").contains(c))
            return 0;
        if (depth == 0)
            return 0;
    }
    return 0;
}

void eachCall(StringRef text, llvm::function_ref<void(StringRef)> each) {
    while (!text.empty()) {
        StringRef word = token(text);
        if (!starts(word.front())) {
            text = text.drop_front(word.size());
            continue;
        }
        size_t end = word.size();
        for (;;) {
            end += argumentList(text.drop_front(end));
            StringRef rest = text.drop_front(end);
            if (!rest.consume_front("::") || rest.empty() || !starts(rest.front()))
                break;
            end += 2 + token(rest).size();
        }
        if (text.drop_front(end).ltrim().starts_with("("))
            each(text.take_front(end));
        text = text.drop_front(end);
    }
}

} // namespace tilecheck
