#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_informer() {
    Mechanism mechanism;
    mechanism.name = "ProbSparse attention";
    mechanism.also_known_as = {"Informer", "active queries"};
    mechanism.family = "Normalisers";
    mechanism.order = 5588;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad )"
        R"(@weights{A_i = \operatorname{softmax}(s_i)} \text{ where } @sparsity{M_i = \max_j s_{ij} - )"
        R"(\frac{1}{m} \sum_j s_{ij}} \text{ is among the } u \text{ } @active_queries{\text{largest}},)"
        R"(\quad A_{ij} = \frac{1}{m} \text{ elsewhere},\quad )"
        R"(@scaled_scores{s_{ij} = \frac{@scores{@query{q_i} \cdot @key{k_j}}}{\sqrt{d_k}}})";
    mechanism.papers = {{"Zhou et al., Informer: Beyond Efficient Transformer for Long Sequence Time-Series "
                         "Forecasting",
                         2021}};
    mechanism.explanation =
        "Few rows of a map say anything: many queries look at all keys alike, and get the mean of the "
        "values. "
        "Informer, which reads long series of measurements, computes only rows that are worth it. How far a "
        "row is from being uniform can be told without a softmax: the largest of its scores less their mean "
        "is 0 where all are equal, and grows as one stands out. The u queries with the largest such spread, "
        "about ln n of them, attend; every other one is given the mean of the values and costs nothing.";
    mechanism.cost =
        "n m d multiply-adds per head here, where all products are made; the paper estimates the spread "
        "from 5 ln m keys that are drawn for each query, and then needs u m (d + d_v) for u rows.";
    mechanism.correction =
        "The keys from which the paper estimates a spread are drawn at random: set Drawn keys to 5 ln m of "
        "them. A key may be drawn twice, and counts once here. The authors’ code divides the sum of the "
        "drawn ones by the number of all keys, where the paper has their mean, as here. Queries are chosen "
        "among all of the text: with a causal mask it still depends on later ones which rows are a softmax. "
        "Informer’s decoder gives other queries the sum of the values so far; here they get the mean of what "
        "they may see.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "every query is active", {.here = {{"active", Index(65536)}}})};
    mechanism.related = {"top_k", "clustered", "dual_softmax", "quest"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::prob_sparse;
    compose(mechanism, spec,
            component_knobs(spec) + temperature_knob() + causal_knob() + token_knobs() + key_lengths_knob());

    mechanism.example.query = "the king and the queen saw a cat and a dog";
    mechanism.example.look_for =
        "Three rows are a softmax, those in which one score is furthest above the mean; all others give each "
        "word the same. Let more queries be active, and one row after another gets its own look.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
