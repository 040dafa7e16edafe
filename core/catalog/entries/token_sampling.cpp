#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_token_sampling() {
    Mechanism mechanism;
    mechanism.name = "Adaptive token sampling (ATS)";
    mechanism.also_known_as = {"ATS", "inverse transform sampling of tokens"};
    mechanism.family = "Low rank";
    mechanism.order = 3661;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j}, \text{ and } 0 \text{ unless } @sampled{i )"
        R"(= 1 \text{ or } i \text{ has the nearest } C_i \text{ to some } u_t},\quad )"
        R"(@significance{s_j = \frac{A_{1j}\,\lVert v_j \rVert}{\sum_l A_{1l}\,\lVert v_l \rVert}}, \quad )"
        R"(C_i = \sum_{s_j \le s_i} s_j,\quad )"
        R"(@all_weights{A = \operatorname{softmax}\left(@scores{\frac{@query{Q}\,@key{K}^\top}{\sqrt{d}}})"
        R"(\right)})";
    mechanism.papers = {paper_of(
        "Fayyaz et al.",
        {.title = "Adaptive Token Sampling for Efficient Vision Transformers",
         .authors = "Fayyaz, Mohsen and Abbasi Koohpayegani, Soroush and Rezaei Jafari, Farnoush and "
                    "Sengupta, Sunando and Vaezi Joze, Hamid Reza and Sommerlade, Eric and "
                    "Pirsiavash, Hamed and Gall, Juergen",
         .kind = Publication::Kind::proceedings,
         .venue = "European Conference on Computer Vision",
         .year = 2022,
         .first_year = 2021})};
    mechanism.explanation =
        "An image of a bird in the sky has few patches that matter, a market has many. The first token of a "
        "vision transformer stands for the class, and its row of weights says which patches it asked; times "
        "the length of their values, that is what they mean to it. Keeping the best of these would be one "
        "way, but it drops whatever is second to something like it. Here the numbers are added up, the "
        "least first, and evenly spaced points on the sum each take the token whose own sum is nearest. A "
        "token that means much makes a leap in which several points fall: they take one token. Where all "
        "mean about the same, each point takes another. So an image in which few patches matter is left "
        "with few, without a number that says how many. Only tokens that were taken have an output; they "
        "have looked at all.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head for the map, of which only the rows that are kept "
                     "need values, n² for the running sum and n p for p points; memory n m.";
    mechanism.correction =
        "Nothing is drawn: points stand where they stand, so that a run gives the same again; with random "
        "points, or noise on the logarithms, it would be a draw. The tokens that are not taken are dropped "
        "for all layers that follow; here their rows are 0. The least token is never the nearest to any "
        "point, for the points begin at the second. No gradient goes through the choice.";
    mechanism.related = {"token_merging", "expert_choice", "class_residual", "eviction"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::token_sampling;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + key_lengths_knob());

    mechanism.example.query = "animal the black cat and the dog sleep on the green sofa";
    mechanism.example.look_for =
        "“animal” stands for the class. “dog” means most to it, 0.28 of all, “cat” 0.12, “sofa” 0.02. Eight "
        "points take six words, for two fall next to “dog” and two next to one “the”: with “animal” seven "
        "are left, and the rows of “black”, “and”, “sleep”, “sofa” and another “the” are 0. Twelve points "
        "leave ten.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.row_stochastic = false, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
