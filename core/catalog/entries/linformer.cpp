#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_linformer() {
    Mechanism mechanism;
    mechanism.name = "Linformer";
    mechanism.also_known_as = {"low-rank attention"};
    mechanism.family = "Low rank";
    mechanism.order = 3600;
    mechanism.formula =
        R"(@output{@pooled_weights{\operatorname{softmax}\left(\frac{@query{Q}\,@pooled_keys{(E )"
        R"(@key{K})}^\top}{\sqrt{d}}\right)}\,@pooled_values{F @value{V}}},\quad )"
        R"(@weights{A = \operatorname{softmax}(\ldots)\,F})";
    mechanism.papers = {{"Wang et al., Linformer: Self-Attention with Linear Complexity", 2020}};
    mechanism.explanation =
        "Maps of trained models are nearly of low rank, so the m keys and values are first pooled to k rows "
        "by two matrices E and F, and queries only compare with those: the map has k columns instead of m, "
        "and time grows with the length. E and F are learned in the paper, one number for each place, so "
        "that the length is fixed and a place means the same in every text; pooling by means of consecutive "
        "keys is the simplest choice, and the default here. The map shown is the small one times F, as wide "
        "as the keys. It cannot be causal: a pooled key mixes the future with the past.";
    mechanism.correction = "Tokens are pooled and not features: E is [k, m]. Padding has to be zero before "
                           "that; afterwards no mask can tell it apart.";
    mechanism.cost = "n k (d + d_v) per head; memory n k";
    mechanism.equivalences = {
        {"scaled_dot_product",
         {{"rank", Index(64)}},
         {},
         "With as many rows as keys, each mean is of one key and nothing is lost.",
         1e-09},
        {"scaled_dot_product",
         {{"rank", Index(64)}, {"pooling", std::string("learned")}},
         {},
         "With E = F = I nothing is pooled.",
         1e-09,
         {{"E", "identity"}, {"F", "identity"}}},
    };
    mechanism.related = {"nystrom", "inducing_points", "scaled_dot_product"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::linformer;
    spec.algorithm.options = {{"pooling", std::string("mean")}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "Keys that were pooled together share one weight: the map comes in vertical stripes.";
    mechanism.properties = {.row_stochastic = false, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
