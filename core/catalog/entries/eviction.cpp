#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_eviction() {
    Mechanism mechanism;
    mechanism.name = "Heavy-hitter cache";
    mechanism.also_known_as = {"H2O", "TOVA", "SnapKV", "KV-cache eviction"};
    mechanism.family = "Selections";
    mechanism.order = 5476;
    mechanism.formula =
        masked_formula(R"(j \le i \text{ and } @in_cache{j \in C_i},\quad )"
                       R"(C_{i+1} = \text{the } B \text{ of } C_i \text{ and } i \text{ with the largest )"
                       R"(} @key_votes{\sum_{t \le i} A_{tj}})");
    mechanism.papers = {
        {"Zhang et al., H2O: Heavy-Hitter Oracle for Efficient Generative Inference of Large Language Models",
         2023},
        {"Oren, Hassid, Yarden, Adi and Schwartz, Transformers are Multi-State RNNs", 2024},
        {"Li et al., SnapKV: LLM Knows What You are Looking for Before Generation", 2024}};
    mechanism.explanation =
        "Keys and values of all tokens are kept while a text is written, and at some point the memory is "
        "full. Which of them can go? In most maps a few columns get nearly everything, and go on getting it. "
        "So count what each key has been given by all queries so far; when a new one comes and there is no "
        "room, the key with the smallest count is dropped, but never one of the newest, which had no time to "
        "collect any. It is gone for good: its column is empty from there on, however much a later query "
        "would have wanted it. TOVA asks the last query alone, and drops what that gave least. SnapKV drops "
        "once: the last queries of the prompt say what the answer will need, and keys that they look at, "
        "with their neighbours, are all of the prompt that is left.";
    mechanism.cost =
        masked_cost("n B (d + d_v) multiply-adds per head for a cache of B keys, which is all that "
                    "memory has to hold.");
    mechanism.correction =
        "The weights that count are those of the smaller cache, not of a full map: what is dropped early "
        "changes all later counts. A query sees the B keys that are left and its own, so that rows have up "
        "to B + 1. Each head has a cache of its own, unless all drop together: TOVA takes the mean over the "
        "heads of a layer, and heads that share keys must agree on what to drop.";
    mechanism.equivalences = {
        equal_when("causal", "nothing is dropped", {.here = {{"budget", Index(65536)}}}),
        equal_when("window", "only the newest keys are kept: a window, with the query’s own key",
                   {.here = {{"budget", Index(3)}, {"recent", Index(3)}}, .there = {{"size", Index(4)}}})};
    mechanism.related = {"kv_cache", "streaming_sinks", "top_k", "quest"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::eviction;
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "the king of france met the queen of spain and they spoke of war";
    mechanism.example.look_for =
        "No row has more than five cells, and a column that has ended never comes back. Step to the votes to "
        "see which column is the next to go; let nothing recent stay, or let the last query decide.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
