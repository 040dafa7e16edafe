#include "core/catalog/masked_entry.h"

#include <numeric>

namespace headlight {

std::string masked_formula(const std::string& allowed) {
    return R"(@output{@weights{\operatorname{softmax}\left(@masked_scores{@scaled_scores{\frac{@scores{)"
           R"(@query{Q}\,@key{K}^\top}}{\sqrt{d_k}}} + M}\right)}\,@value{V}},\quad )"
           R"(M_{ij} = 0 \text{ if } )" +
           allowed + R"(, \text{ else } -\infty)";
}

std::string masked_cost(const std::string& pairs) {
    return pairs + " Here all pairs are scored, so that what is cut can be seen; the program’s counts leave "
                   "out what a mask forbids, and not what a selection drops.";
}

Knob global_tokens_knob() {
    return {{.name = "globals",
             .label = "Global tokens",
             .kind = MechanismParameter::Kind::integer,
             .standard = Index(1),
             .minimum = 0,
             .maximum = 64,
             .help = "How many tokens at the beginning see every key and are seen by every query."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                std::vector<Index> tokens(static_cast<std::size_t>(std::get<Index>(value)));
                std::iota(tokens.begin(), tokens.end(), Index(0));
                for (Mask& each : std::get<AnyOf>(spec.mask.rule).masks)
                    if (auto* pattern = std::get_if<PatternMask>(&each.rule);
                        pattern && pattern->type == MaskPattern::global)
                        pattern->options["tokens"] = tokens;
            }};
}

}  // namespace headlight
