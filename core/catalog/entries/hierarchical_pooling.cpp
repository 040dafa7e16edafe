#include "core/catalog/knob.h"

namespace headlight {
namespace {

Knob first_sentence_knob() {
    return {{.name = "first",
             .label = "First sentence",
             .kind = MechanismParameter::Kind::integer,
             .standard = Index(4),
             .minimum = 1,
             .maximum = 65536,
             .help = "How many words the first sentence has; the rest of the text is the second."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                spec.algorithm.options["sentences"] = std::vector<Index>{std::get<Index>(value)};
            }};
}

}  // namespace

Mechanism declare_hierarchical_pooling() {
    Mechanism mechanism;
    mechanism.name = "Hierarchical attention (HAN)";
    mechanism.also_known_as = {"hierarchical attention network", "words and sentences",
                               "word attention with a context vector"};
    mechanism.family = "Sources";
    mechanism.order = 1420;
    mechanism.formula =
        R"(@sentence_vectors{s_l = \sum_{t \in l} @word_weights{\alpha_t}\,@query{h_t}},\quad )"
        R"(@word_weights{\alpha = \operatorname{softmax}_{t \in l}\left(@word_scores{u_w \cdot )"
        R"(@word_hidden{\tanh(h_t W_w + b_w)}}\right)},\quad )"
        R"(@sentence_weights{\beta = \operatorname{softmax}_l\left(@sentence_scores{u_s \cdot )"
        R"(@sentence_hidden{\tanh(s_l W_s + b_s)}}\right)},\quad @output{o_i = \sum_l \beta_l s_l},\quad )"
        R"(@weights{A_{it} = \beta_{l(t)}\,\alpha_t})";
    mechanism.papers = {
        {"Yang et al., Hierarchical Attention Networks for Document Classification (section 2.2)", 2016}};
    mechanism.explanation =
        "A document is made of sentences and a sentence of words, and not all of either matter. So pool "
        "twice. Each word goes through a layer with tanh and is compared with a context vector u, which is "
        "learned with the rest and may be read as the question: which is the informative word? A softmax "
        "over the words of a sentence weighs them, and their sum stands for the sentence. The sentences are "
        "treated alike, with a layer and a context vector of their own, and their sum stands for the "
        "document. The weights of both levels can be shown in the text, sentences in one colour and words in "
        "another, which made the paper known. A word counts for the document as much as for its sentence "
        "times what the sentence counts for: these products are the map here, and sum to 1 over the text. "
        "The paper puts a recurrent network in both directions before each level; here words are what comes "
        "in.";
    mechanism.cost = "2 (n + l) d² + 2 (n + l) d multiply-adds per head for n words in l sentences, at most; "
                     "memory n + l. Here weights of words are written out for every sentence, l n.";
    mechanism.correction =
        "Two levels are not one softmax over all words: a dull word alone in its sentence has all of it. "
        "With a single sentence its weight is 1, and what is left is the level of the words, a "
        "self-attentive embedding of one row with biases. Where sentences end must be known; here their "
        "lengths are given.";
    mechanism.related = {"structured_embedding", "gated_pooling", "documents", "additive"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::hierarchical_pooling;
    compose(mechanism, spec, {first_sentence_knob(), projections_knob()});

    mechanism.example.query = "the cat slept all day the stock market fell";
    mechanism.example.stage = "word_weights";
    mechanism.example.look_for =
        "Two rows, one for each sentence: each sums to 1 over its own words and is 0 elsewhere. Let the "
        "first sentence have one word, and that word has all of it. Step on to the weights of the whole "
        "text, where each word is multiplied by the weight of its sentence.";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
