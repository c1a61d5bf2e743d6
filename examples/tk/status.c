#include "tk_host.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[512];
static _Thread_local bool hushed;

const char *tk_status_text(tk_status status)
{
    static const char *const texts[] = {
#define TK_ONE(name, text) [name] = text,
        TK_STATUSES(TK_ONE)
#undef TK_ONE
    };
    const size_t n = sizeof texts / sizeof texts[0];
    return (size_t)status < n ? texts[status] : "no status";
}

const char *tk_message(void) { return message; }

void tk_hush(bool on) { hushed = on; }

void tk_say(const char *format, ...)
{
    if (hushed)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
}
