#include "core/catalog/rotary_formula.h"

namespace headlight {

std::string rotary_formula(const std::string& turns) {
    return R"(\class{stage-output}{\class{stage-weights}{\operatorname{softmax}\left()"
           R"(\class{stage-scaled_scores}{\frac{\class{stage-scores}{)"
           R"(\class{stage-rotated_query}{R(\class{stage-query}{Q})}\,)"
           R"(\class{stage-rotated_key}{R(\class{stage-key}{K})}^\top}}{\sqrt{d_k}}})"
           R"(\right)}\,\class{stage-value}{V}},\quad )" +
           turns;
}

}  // namespace headlight
