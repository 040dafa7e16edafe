#define HEADLIGHT_LEVEL baseline
#include "core/attention/kernels/level.inc.h"
