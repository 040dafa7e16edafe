// The kernels of one processor level. Included once by each of level_*.cpp, which are compiled with that
// level's instructions.

#include "core/attention/kernels/level_names.inc.h"

#include "core/attention/kernels/attend.inc.h"

namespace headlight::kernels {

extern const Table<float> HEADLIGHT_JOIN(float_, HEADLIGHT_LEVEL);
extern const Table<double> HEADLIGHT_JOIN(double_, HEADLIGHT_LEVEL);

const Table<float> HEADLIGHT_JOIN(float_, HEADLIGHT_LEVEL){
    pack<float>,       multiply<float>,       attend<float>,     attend_recorded<float>,
    score_rows<float>, normalize_rows<float>, sum_values<float>, score_prepared<float>,
    maximum<float>,    exponentials<float>,   activate<float>};
const Table<double> HEADLIGHT_JOIN(double_, HEADLIGHT_LEVEL){
    pack<double>,       multiply<double>,       attend<double>,     attend_recorded<double>,
    score_rows<double>, normalize_rows<double>, sum_values<double>, score_prepared<double>,
    maximum<double>,    exponentials<double>,   activate<double>};

}  // namespace headlight::kernels
