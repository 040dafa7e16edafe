#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_split_keys() {
    Mechanism mechanism;
    mechanism.name = "Split keys";
    mechanism.also_known_as = {"Flash-Decoding", "split-K attention", "merging by log-sum-exp"};
    mechanism.family = "Execution";
    mechanism.order = 3210;
    mechanism.formula =
        R"(@output{o_i} = \sum_p @part_shares{\frac{e^{\ell_{ip}}}{\sum_r e^{\ell_{ir}}}}\,@part_contexts{)"
        R"(\sum_{j \in p} @part_weights{e^{@scores{s_{ij}} - \ell_{ip}}}\,@value{v_j}},\quad )"
        R"(@log_sums{\ell_{ip} = \ln \sum_{j \in p} e^{s_{ij}}},\quad )"
        R"(@weights{A_{ij} = \frac{e^{s_{ij}}}{\sum_l e^{s_{il}}}})";
    mechanism.papers = {{"Dao, Haziza, Massa and Sizov, Flash-Decoding for Long-Context Inference", 2023},
                        {"Milakov and Gimelshein, Online Normalizer Calculation for Softmax", 2018}};
    mechanism.explanation =
        "While a model writes, there is one query and a long cache, and most of a graphics processor would "
        "have nothing to do. So the keys are split: each part is a softmax attention of its own, on "
        "processors that know nothing of one another, and gives its context and one number more, the "
        "logarithm of the sum of its exponentials. These log-sums are all that a merge needs: a softmax of "
        "them says what share each part has of the whole, and the sum of the contexts, each times its share, "
        "is the context of all keys, to the last digit. The same merge joins the blocks that go around a "
        "ring of processors, a prefix that many texts share, or the rounds of several hashes.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, as always, and n p d_v for the merge of p parts.";
    mechanism.correction =
        "Contexts of parts must not simply be averaged, nor weighed by how many keys they have: a part with "
        "one key that fits may have nearly all of the row. A part of which a query sees nothing has the "
        "log-sum −∞ and the share 0.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "only the order of the work differs, whatever the parts")};
    mechanism.related = {"online_softmax", "kv_cache", "longnet", "scaled_dot_product"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::split_keys;
    compose(mechanism, spec,
            component_knobs(spec) + causal_knob() + source_knob() + projections_knob() + key_lengths_knob());

    mechanism.example.query = "the sun rose slowly over the quiet green hills";
    mechanism.example.look_for =
        "The map of plain softmax to the last digit. Step back to the weights within the parts, whose rows "
        "sum to 1 three times, and to the shares of the parts, by which they are multiplied.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
