#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_nystrom() {
    Mechanism mechanism;
    mechanism.name = "Nyströmformer";
    mechanism.also_known_as = {"Nyström attention", "landmark attention"};
    mechanism.family = "Low rank";
    mechanism.order = 3610;
    mechanism.formula =
        R"(@weights{A = @to_landmarks{\operatorname{softmax}\left(\frac{@query{Q}\,\tilde{K}^\top}{)"
        R"(\sqrt{d}}\right)}\,@landmark_inverse{@landmark_weights{\operatorname{softmax}\left(\frac{)"
        R"(\tilde{Q}\,\tilde{K}^\top}{\sqrt{d}}\right)}^{+}}\,@from_landmarks{\operatorname{softmax}\left()"
        R"(\frac{\tilde{Q}\,@key{K}^\top}{\sqrt{d}}\right)}},\quad @output{O = A\,@value{V}})";
    mechanism.papers = {
        {"Xiong et al., Nyströmformer: A Nyström-Based Algorithm for Approximating Self-Attention", 2021}};
    mechanism.explanation =
        "A few landmarks, means of consecutive queries and of consecutive keys, stand for all. Queries "
        "compare with key landmarks, query landmarks with keys, and the pseudo-inverse of the map between "
        "landmarks ties the two together; were the whole map of that rank, the product would be exact. The "
        "pseudo-inverse is approached by steps that need only matrix products. The six of the paper are not "
        "always enough: watch the residuals, which say how far the landmark map times its inverse is from "
        "the identity. Weights may be negative, and rows sum to 1 only as far as the inverse is exact. The "
        "paper’s convolution of the values is left out.";
    mechanism.cost = "n l (d + d_v) + l³ per step and head, l landmarks; memory n l";
    mechanism.correction =
        "Six iterations do not invert every landmark map: on a random 6 × 6 map the residual is "
        "0.288 after 6 and 1e-15 after 12.";
    mechanism.equivalences = {
        {"scaled_dot_product",
         {{"landmarks", Index(64)}, {"iterations", Index(60)}},
         {},
         "With every token a landmark and the inverse run to its end, A A⁺ A = A.",
         1e-06},
    };
    mechanism.related = {"linformer", "agent", "scaled_dot_product"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::nystrom;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "With as many landmarks as words and many iterations the map is that of softmax; with few "
        "it is smooth, and some weights are below 0.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.row_stochastic = false, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
