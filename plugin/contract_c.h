// The C side of the plugin, as C++ sees it.
#ifndef TC_PLUGIN_CONTRACT_C_H
#define TC_PLUGIN_CONTRACT_C_H

extern "C" {
#include "checker/check.h"
#include "checker/embed.h"
#include "checker/launches_door.h"
}

#endif
