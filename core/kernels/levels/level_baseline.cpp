#define HEADLIGHT_LEVEL baseline
#include "core/kernels/level.inc.h"
