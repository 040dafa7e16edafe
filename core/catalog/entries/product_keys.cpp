#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_product_keys() {
    Mechanism mechanism;
    mechanism.name = "Product-key memory";
    mechanism.also_known_as = {"PKM", "large memory layer"};
    mechanism.family = "Memory";
    mechanism.order = 5742;
    mechanism.formula =
        R"(@output{O = @slot_weights{A}\,V_{\text{slots}}},\quad )"
        R"(@slot_weights{A_i = \operatorname{softmax}\left(\operatorname{top}_k \left(@left_scores{q_i^1 )"
        R"(\cdot l_a} + @right_scores{q_i^2 \cdot r_b}\right)\right)},\quad )"
        R"(q_i = \left[q_i^1; q_i^2\right] = @query{Q_i},\quad )"
        R"(@weights{W_{ij} = \sum_s A_{is}\,\frac{A_{js}}{\sum_t A_{ts}}})";
    mechanism.papers = {{"Lample et al., Large Memory Layers with Product Keys", 2019}};
    mechanism.explanation =
        "A memory of a million slots would be slow to search if a query had to meet every key. Here a key is "
        "a pair: a left half and a right half, each from a short list, and every pair of halves is a slot. "
        "With a thousand halves of each kind there are a million slots, and a query is compared with two "
        "thousand halves only. Its first half finds the k best left ones, its second half the k best right "
        "ones; the k best slots of all must be among the k² pairs of these, for a pair with any other half "
        "has k better ones before it. A softmax over the k best says how much of the value of each is read. "
        "So parameters can be many and work little: each token touches k values, others rest. Tokens do not "
        "look at one another; what is drawn as weights is how much of what a token reads lies in slots that "
        "another token reads too.";
    mechanism.cost =
        "n (c d + k² + k d_v) multiply-adds per head for c halves of each kind and k slots read; "
        "with one list of keys it would be n c² d. Parameters: c d and c² d_v. Here all pairs are "
        "written out, so that they can be seen.";
    mechanism.correction =
        "Nothing is approximated: the k best pairs are exactly the k best of all c² slots. The paper sums "
        "the "
        "heads’ answers, which share their values; here they stand side by side as those of other attentions "
        "do, and W_o may add them. It also normalises queries over a batch, which a single text cannot show.";
    mechanism.related = {"external_memory", "token_parameters", "persistent_memory", "top_k"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::product_keys;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "dog cat dog tree house cat dog";
    mechanism.example.stage = "slot_weights";
    mechanism.example.look_for = "Three of 16 slots in each row have a weight, and copies of a word have the "
                                 "same three. Step back: the slots that are read are where a good left half "
                                 "meets a good right one. In the weights, words that read no slot together "
                                 "have 0.";
    mechanism.properties = {.permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
