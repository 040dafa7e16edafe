#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_memory_tokens() {
    Mechanism mechanism;
    mechanism.name = "Memory tokens";
    mechanism.also_known_as = {"Memory Transformer", "register tokens", "class token", "class attention"};
    mechanism.family = "Memory";
    mechanism.order = 5762;
    mechanism.formula =
        R"(@context{o_i = \sum_s @memory_token_weights{B_{is}}\,v^M_s + \sum_j @weights{A_{ij}}\,)"
        R"(@value{v_j}},\quad )"
        R"([@memory_token_weights{B_i}; @weights{A_i}] = \operatorname{softmax}\left(\left[\frac{q_i \cdot )"
        R"(k^M_s}{\sqrt{d}}; @scores{\frac{@query{q_i} \cdot @key{k_j}}{\sqrt{d}}}\right]\right),\quad )"
        R"(@memory_context{o^M_s = \sum_j @memory_reads{C_{sj}}\,v_j + \ldots},\quad )"
        R"(@memory_queries{q^M = M W_q},\quad k^M = M W_k,\quad v^M = M W_v)";
    mechanism.papers = {{"Burtsev et al., Memory Transformer", 2020},
                        {"Touvron et al., Going deeper with Image Transformers (class attention)", 2021}};
    mechanism.explanation =
        "Put a few learned tokens before the text and let them go through all layers with it. They are "
        "projected by the same matrices, ask as tokens do and are found as tokens are, but stand for no "
        "word: they begin the same for every text, and what they hold after a layer is what they have read. "
        "In the next layer the words can read it there. So there is a place for what belongs to the text as "
        "a whole, and words need not carry it about. A single one is known longer: the class token of BERT "
        "and of image Transformers, from whose row at the end the class is read. In the last layers of CaiT "
        "only that token asks, which is the row of a memory token here; in image models without them, tokens "
        "of dull patches had been made into such a memory, until registers gave them one. In one layer both "
        "sides can be seen: what the words take of the memory, and what the memory reads of the words, which "
        "only the next layer will have.";
    mechanism.cost = "(n + s)² (d + d_v) multiply-adds per head for s memory tokens; memory (n + s)².";
    mechanism.correction =
        "In this layer words get nothing of each other through the memory: what it reads now is there in the "
        "next one. Persistent memory has keys and values alone, which never ask and are new in each layer; "
        "here they come from tokens through the same matrices as the text’s. Rows of the map sum to less "
        "than 1, for the memory’s columns are a stage of their own. Only texts that are known as a whole can "
        "have such a memory: one that reads all tokens would tell a word of those behind it.";
    mechanism.equivalences = {equal_when(
        "persistent_memory",
        "for the words, memory tokens of zeros are slots whose keys and values are zeros",
        {.here = {{"tokens", Index(8)}},
         .there = {{"slots", Index(8)}},
         .parameters = {{"memory_tokens", "zeros"}, {"K_memory", "zeros"}, {"V_memory", "zeros"}}})};
    mechanism.related = {"persistent_memory", "attention_pooling", "inducing_points", "streaming_sinks"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::memory_tokens;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.stage = "memory_reads";
    mechanism.example.look_for =
        "Four rows, one for each memory token: what it takes of each word. Both “the” have one share. A row "
        "sums to less than 1, since memory tokens read one another too. Step on to the weights: what the "
        "words leave is what they take of the memory.";
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
