#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_minference() {
    Mechanism mechanism;
    mechanism.name = "MInference";
    mechanism.also_known_as = {"vertical-slash attention", "dynamic sparse prefilling"};
    mechanism.family = "Selections";
    mechanism.order = 5473;
    mechanism.formula =
        masked_formula(R"(j \le i \text{ and } @pattern_pairs{(i, j) \text{ is in a column } j \text{ or )"
                       R"(on a diagonal } i - j \text{ with the most votes } \sum_{i > n - l} )"
                       R"(\operatorname{softmax}(s_i)})");
    mechanism.papers = {{"Jiang et al., MInference 1.0: Accelerating Pre-filling for Long-Context LLMs via "
                         "Dynamic Sparse Attention",
                         2024}};
    mechanism.explanation =
        "Before a model answers a long text it has to read it, and there attention costs n². Maps of trained "
        "heads have one of three shapes: an A, of the first words and the newest; columns and diagonals, "
        "words that everybody looks at and distances at which everybody looks; or scattered blocks. Which "
        "shape a head has does not change with the text, so it is found once; where its columns, diagonals "
        "or blocks lie does, and is found again for every text, cheaply. The last few queries are scored "
        "against all keys, and the columns and diagonals that got most are computed for all queries. For "
        "blocks the mean query of each meets the mean keys of all.";
    mechanism.cost =
        masked_cost("l m d multiply-adds to find the lines and n (c + g) (d + d_v) for c columns "
                    "and g diagonals; (n / s)² d and n b s (d + d_v) for b blocks of s.");
    mechanism.correction =
        "What the last queries look at is taken for what all look at: the choice for an early query depends "
        "on words after it, though none of these gets a weight. While the answer is written attention is "
        "full again. The code always keeps the first 30 columns and the newest 100 diagonals, and its "
        "kernels widen diagonals to blocks of 64; here they are one place wide.";
    mechanism.equivalences = {
        equal_when("causal", "every column is kept", {.here = {{"vertical", Index(65536)}}}),
        equal_when("causal", "every diagonal is kept", {.here = {{"slash", Index(65536)}}}),
        equal_when("causal", "every block is kept",
                   {.here = {{"pattern", std::string("blocks")}, {"blocks", Index(65536)}}})};
    mechanism.related = {"xattention", "streaming_sinks", "moba", "frame_heads"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::prefill_patterns;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the cat sat and the dog sat and the bird sat";
    mechanism.example.look_for =
        "The text says nearly the same every four words: beside the diagonal those four and eight places "
        "below it are kept, and the columns of the first word and of “bird”.";
    mechanism.example.beside = "causal";
    mechanism.properties = {
        .causal = true, .data_dependent_mask = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
