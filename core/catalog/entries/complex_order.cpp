#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_complex_order() {
    Mechanism mechanism;
    mechanism.name = "Complex word order";
    mechanism.also_known_as = {"complex embeddings", "complex order"};
    mechanism.family = "Positions";
    mechanism.order = 5389;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@query{X' W_q}\,()"
        R"(@key{X' W_k})^\top}}{\sqrt{d_k}}}\right)}\,@value{X' W_v}},\quad )"
        R"(x'_p = @turned_words{@tokens{x_p}\,e^{i\,@word_speeds{\omega}\,p}})";
    mechanism.papers = {{"Wang et al., Encoding Word Order in Complex Embeddings", 2020}};
    mechanism.explanation =
        "Two features of a word are read as one complex number: its length says how strongly the word has a "
        "property, its phase where the clock of the word stands. A step to the next place turns each number "
        "by its speed, and the speed is the word’s own, learned for each word and each number: a word whose "
        "place hardly matters turns slowly, one that must know its neighbours turns fast. Moving a word by k "
        "places then turns it by the same angle wherever it stood, which is the property that the paper asks "
        "for. In the paper the speeds are a table with a row for each word; here they are made from the word "
        "vector by a matrix, which to a table is what a word vector is to a number in a list. Without it all "
        "words turn alike, and the products are those of rotary positions, which came a year later and turn "
        "queries and keys instead of words.";
    mechanism.cost = "n d² / 2 for the speeds and 3 n d for the turns beside n m (d_k + d_v)";
    mechanism.correction =
        "The values are turned as well, for words are turned before they are projected: what is attended to "
        "says where it stood. The phase at place 0 needs no parameter of its own here, since a pair of "
        "features has one. In the paper’s complex Transformer the layers behind are complex, too; here they "
        "read both parts as real features.";
    mechanism.related = {"rope_interleaved", "sinusoidal", "rotary_values", "pope"};

    AttentionSpec spec;
    spec.position.type = PositionType::complex_order;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "the king and the queen drink the tea";
    mechanism.example.look_for =
        "The rows of “the” in the stage of the speeds are alike, three times, and those of other words are "
        "not: the speed is the word’s. The turned vectors of “the” are three others, for each stands "
        "elsewhere.";
    mechanism.example.stage = "word_speeds";
    return mechanism;
}

}  // namespace headlight
