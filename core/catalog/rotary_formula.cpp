#include "core/catalog/rotary_formula.h"

namespace headlight {

std::string rotary_formula(const std::string& turns) {
    return R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@rotated_query{R()"
           R"(@query{Q})}\,@rotated_key{R(@key{K})}^\top}}{\sqrt{d_k}}}\right)}\,@value{V}},\quad )" +
           turns;
}

}  // namespace headlight
