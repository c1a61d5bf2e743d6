#include "tilecheck_cuda.h"
