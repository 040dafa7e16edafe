#include "core/attention/algorithms/pooled_rows.h"

#include <algorithm>

namespace headlight {
namespace {

/// The sentence that each token is in, by the lengths of the option; what is left is one more. Padding at the
/// end is in none: -1.
std::vector<Index> sentences_of_tokens(const Plan& plan) {
    std::vector<Index> sentences(static_cast<std::size_t>(plan.keys), -1);
    const Index real = plan.allowed.end(0);
    const auto& lengths = plan.algorithm().list("sentences");
    Index token = 0, sentence = 0;
    for (const Index length : lengths) {
        for (const Index end = std::min(real, token + length); token < end; ++token)
            sentences[static_cast<std::size_t>(token)] = sentence;
        ++sentence;
    }
    for (; token < real; ++token)
        sentences[static_cast<std::size_t>(token)] = sentence;
    return sentences;
}

/// u · tanh(x W + b) of each row of x, [h, 1, rows], as NAME_hidden and NAME_scores.
Expression write_level_scores(Composer& composer, const std::string& name, const Expression& x) {
    const Expression hidden = composer.let(
        name + "_hidden", tanh_of(composer.projected(x, "W_" + name, "b_" + name)), "a layer of each row");
    return composer.let(name + "_scores", product_transposed(composer.parameter("u_" + name), hidden),
                        "how much each is like what is sought");
}

/// Words of each sentence by one context vector, sentences by another (Yang et al. 2016, equations 5 to 10).
Expression define_hierarchical_pooling(Composer& composer) {
    const Expression& states = composer.query;
    const std::vector<Index> sentences = sentences_of_tokens(composer.plan);
    // One at least, of no word where there is padding alone.
    const Index count = std::max<Index>(1, 1 + *std::ranges::max_element(sentences));
    const Expression words = write_level_scores(composer, "word", states);
    const Expression is_in = composer.truth(
        "is_in_sentence", {0, count, composer.plan.keys}, "the words of each sentence",
        [=](Index sentence, Index word) { return sentences[static_cast<std::size_t>(word)] == sentence; });
    const Expression word_weights =
        softmax_of(composer, "word_weights", choose(is_in, words, minus_infinity()));
    const Expression vectors =
        composer.let("sentence_vectors", product(word_weights, states), "the words of each, added up");
    const Expression sentence_weights =
        softmax_of(composer, "sentence_weights", write_level_scores(composer, "sentence", vectors));
    const Expression shares =
        composer.let("text_shares", product(sentence_weights, word_weights), "of each word in the text");
    write_weights_of_all(composer, shares);
    const Expression text =
        composer.let("text_vector", product(sentence_weights, vectors), "the sentences, added up");
    const std::vector<Index> first(static_cast<std::size_t>(composer.plan.queries), 0);
    return composer.let("context", some_rows(text, first), "the same for every token");
}

}  // namespace

AlgorithmComponent declare_algorithms_hierarchical_pooling() {
    AlgorithmComponent component;
    component.meaning =
        "α = softmax(u_w · tanh(H W_w + b_w)) over the words of each sentence, s = Σ α h, and the same with "
        "u_s over the sentences: a text is summed up in two levels, and every token gets the sum (Yang et "
        "al. 2016)";
    component.options = {list_option(
        "sentences", "Lengths of the sentences", {4}, {1, 65536},
        "How many tokens each sentence has, one after another; what is left is one more sentence.")};
    component.known_parameters = {
        {"W_word", "[d, d] per head, shared by the heads", "the layer of each word"},
        {"b_word", "[d]", "is added before its tanh"},
        {"u_word", "[d]", "the context vector of the words"},
        {"W_sentence", "[d, d] per head, shared by the heads", "the layer of each sentence"},
        {"b_sentence", "[d]", "is added before its tanh"},
        {"u_sentence", "[d]", "the context vector of the sentences"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index width = plan.head_query_width();
        for (const std::string level : {"word", "sentence"}) {
            list.add("W_" + level, {width, width});
            list.add("b_" + level, {width});
            list.add("u_" + level, {width});
        }
    };
    component.needs_one_end = true;
    component.check = [](const Plan& plan) { check_pooled_states(plan, "hierarchical_pooling"); };
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("word_hidden", "Layer of the words", {"", {{"query"}}, "× W_w, + b,\ntanh\n→"},
                   {.lights = "word_weights", .has_features = true}),
        made_stage("word_scores", "Scores of the words",
                   {"how much each is like what is sought", {{"word_hidden"}}, "· u_w\n→"},
                   {.lights = "word_weights", .is_of_features = true}),
        declared_softmax_stage("word_scores", "word_weights", "Weights of the words",
                               "softmax over the words of each sentence",
                               {.lights = "weights", .is_of_features = true, .row = "sentence"}),
        made_stage("sentence_vectors", "Sentences",
                   {"the words of each, added up by their weights", {{"word_weights"}, {"query", "×"}}, "="},
                   {.colours_of = "query", .lights = "output", .is_of_features = true, .row = "sentence"}),
        made_stage("sentence_hidden", "Layer of the sentences",
                   {"", {{"sentence_vectors"}}, "× W_s, + b,\ntanh\n→"},
                   {.lights = "sentence_weights", .is_of_features = true, .row = "sentence"}),
        made_stage("sentence_scores", "Scores of the sentences",
                   {"how much each is like what is sought", {{"sentence_hidden"}}, "· u_s\n→"},
                   {.lights = "sentence_weights", .is_of_features = true}),
        declared_softmax_stage("sentence_scores", "sentence_weights", "Weights of the sentences",
                               "softmax over the sentences", {.lights = "weights", .is_of_features = true}),
        declared_weights_stage({"of the word in its sentence, times that of the sentence",
                                {{"sentence_weights"}, {"word_weights", "×"}},
                                "for every\nquery\n→"},
                               {.is_share = true}),
        made_stage("context", "Context",
                   {"the sentences, added up, the same for every token",
                    {{"sentence_weights"}, {"sentence_vectors", "×"}},
                    "for every\ntoken\n→"},
                   {.colours_of = "query", .lights = "output"})};
    component.define = define_hierarchical_pooling;
    return component;
}

}  // namespace headlight
