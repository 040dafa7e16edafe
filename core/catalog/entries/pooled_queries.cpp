#include "core/catalog/knob.h"
#include "core/catalog/publication_years.h"

namespace headlight {

Mechanism declare_pooled_queries() {
    Mechanism mechanism;
    mechanism.name = "Pooled queries (Funnel-Transformer)";
    mechanism.also_known_as = {"Funnel-Transformer", "pool-query-only attention"};
    mechanism.family = "Low rank";
    mechanism.order = 3653;
    mechanism.formula =
        R"(@output{o_i} = @pooled_values{\sum_j @weights{@pooling_weights{A_{b(i)\,j}}}\,@value{v_j}},)"
        R"(\quad )"
        R"(@pooling_weights{A_b} = \operatorname{softmax}\left(@pooling_scores{\frac{\bar{q}_b\,)"
        R"(@key{K}^\top}{\sqrt{d}}}\right),\quad )"
        R"(@pooling_queries{\bar{q}_b = \frac{1}{|b|} \sum_{i \in b} @query{q_i}})";
    mechanism.papers = {
        paper_of("Dai, Lai, Yang and Le",
                 {.title = "Funnel-Transformer: Filtering out Sequential Redundancy for Efficient Language "
                           "Processing",
                  .authors = "Dai, Zihang and Lai, Guokun and Yang, Yiming and Le, Quoc V.",
                  .kind = Publication::Kind::proceedings,
                  .venue = venues::neurips,
                  .year = 2020},
                 "section 2.2")};
    mechanism.explanation =
        "A text that is to be sorted into a class needs no vector for every word at the end, and yet a "
        "Transformer carries one through all layers. Funnel-Transformer halves them every few layers. Where "
        "it does so, the means of each two neighbouring tokens would be what a layer goes on with, as "
        "images are made smaller in a network for pictures. The authors keep more: the means only ask, and "
        "keys and values are all the tokens that the means were made of. So a mean is but the first guess "
        "at what two words have in common, and the attention says what is worth keeping of the whole text, "
        "and not of these two alone. The first token, which stands for the text, is never mixed with "
        "others. A decoder that needs a vector for every word repeats each of the short sequence, and that "
        "is how it is shown here.";
    mechanism.cost = "n m (d + d_v) / s multiply-adds per head for means of s queries, and as much less in "
                     "the layers above; memory n m / s.";
    mechanism.correction =
        "Two words of one mean have one row of weights, and each gets the same: what tells them apart is "
        "added by the residual around the layer, from before. The mean of the queries is the query of the "
        "mean token, for a projection is linear. The authors’ code leaves the last token out of the means, "
        "so that of an even number there are "
        "pairs behind the first; here a token that is left at the end is a mean of its own. Their scores "
        "have biases of distances as Transformer-XL has, and of segments, which are left out.";
    mechanism.equivalences = {equal_when("scaled_dot_product",
                                         "where every query asks for itself it is attention",
                                         {.here = {{"stride", Index(1)}}, .tolerance = 1e-12})};
    mechanism.related = {"token_merging", "agent", "mean_query", "spatial_reduction"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::pooled_queries;
    compose(mechanism, spec, component_knobs(spec) + projections_knob() + key_lengths_knob());

    mechanism.example.query = "king queen dog cat apple orange banana";
    mechanism.example.look_for =
        "“queen” and “dog” have one row, and so have “cat” and “apple”, and “orange” and “banana”: each two "
        "ask as one. “king” stands first and asks alone, as in the map beside it.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
