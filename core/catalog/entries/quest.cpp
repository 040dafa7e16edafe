#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_quest() {
    Mechanism mechanism;
    mechanism.name = "Quest";
    mechanism.also_known_as = {"page selection", "query-aware cache sparsity"};
    mechanism.family = "Selections";
    mechanism.order = 5470;
    mechanism.formula = masked_formula(
        R"(j \le i \text{ and } @page_bounds{u_{i,P} = \sum_c \max(q_{ic} \min_P k_c,\, q_{ic} \max_P )"
        R"(k_c)} \text{ is among the } k \text{ largest for its page } P)");
    mechanism.papers = {
        {"Tang et al., Quest: Query-Aware Sparsity for Efficient Long-Context LLM Inference", 2024}};
    mechanism.explanation =
        "While generating, reading the cache is what takes time. Quest keeps it in pages and remembers of "
        "each page only the smallest and the largest value of every feature. With these, no key of the page "
        "can have a larger product with the query than a bound that costs as much as a single key. The pages "
        "with the largest bounds are read, the others not at all. Nothing is forgotten: the next query may "
        "choose other pages. The bound is exact only for a page of one key; wide pages look better than they "
        "are.";
    mechanism.correction = "The bound takes the minimum or the maximum of each feature, by the sign of the "
                           "query’s. The mean key of a page is no bound.";
    mechanism.cost = masked_cost("n (m / s) d multiply-adds per head for the bounds of pages of s keys and n "
                                 "k s (d + d_v) for k pages.");
    mechanism.equivalences = {
        equal_when("causal", "every page is kept", {.here = {{"pages", Index(65536)}}}),
        equal_when("causal", "one page holds the whole sequence", {.here = {{"size", Index(65536)}}})};
    mechanism.related = {"moba", "top_k", "dsa"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::pages;
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "paris is in france and london is in england now";
    mechanism.example.look_for = "Blocks of three columns: in the bounds every page has one number, and each "
                                 "row keeps the two pages with the largest.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
