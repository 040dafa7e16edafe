#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_two_stream() {
    Mechanism mechanism;
    mechanism.name = "Two streams (XLNet)";
    mechanism.also_known_as = {"XLNet", "two-stream self-attention", "query stream"};
    mechanism.family = "Masks";
    mechanism.order = 5427;
    mechanism.formula =
        R"(@query_stream{g_i^{l+1}} = g_i^l + @layer_weights{\operatorname{softmax}_{z_j < z_i}}\left()"
        R"(\frac{q(g_i^l) \cdot k(h_j^l)}{\sqrt{d}}\right) v(h_j^l),\quad )"
        R"(h_i^{l+1} = h_i^l + @content_stream_weights{\operatorname{softmax}_{z_j \le z_i}\left()"
        R"(\frac{q(h_i^l) \cdot k(h_j^l)}{\sqrt{d}}\right)}\,v(h_j^l),\quad )"
        R"(@output{o_i = @context{@weights{\operatorname{softmax}_{z_j < z_i}(@scores{S_{ij}^L})})"
        R"(\,v(h_j^L)}},\quad g_i^1 = w + p_i,\quad h_i^1 = x_i + p_i)";
    mechanism.papers = {{"Yang et al., XLNet: Generalized Autoregressive Pretraining for Language "
                         "Understanding (section 2.3)",
                         2019}};
    mechanism.explanation =
        "To guess a word from those that had their turn before it, in an order that is not that of the "
        "text, a model must know which place it is guessing for, and must not know the word that stands "
        "there. One vector cannot be both: once a word has been guessed, others are to look at it, and "
        "then it must be all that is known. So every place has two. The content stream h begins as the "
        "word at its place, and sees itself and those of earlier turns. The query stream g begins as a "
        "learned vector at that place, the same for all words, and looks at the contents of earlier turns "
        "alone; it is what the word is guessed from. Keys and values are always those of the contents, "
        "which nobody’s guess can change, and both streams have the same matrices. The map shown is that "
        "of the query stream in the last layer: nothing stands on its diagonal.";
    mechanism.cost =
        "Per layer 2 n² (d + d_v) multiply-adds per head for the two streams, of whose pairs a mask in some "
        "order leaves half, and 5 projections in place of 4; memory 2 n². Only places that are to be guessed "
        "need a query stream.";
    mechanism.correction =
        "The query stream is no second model and no decoder: it has no keys and values, and nobody looks at "
        "it. After pretraining it is thrown away, and what is left is an ordinary encoder. Where a place "
        "comes from is up to the position: XLNet takes the relative ones of Transformer-XL, here it is "
        "added to the vectors or turns them. The token whose turn is first sees nothing, and gets 0. Norms "
        "and feed-forward layers, which look at each token alone, and the memory of an earlier segment are "
        "left out.";
    mechanism.related = {"permutation", "transformer_xl", "causal"};

    AttentionSpec spec;
    spec.position.type = PositionType::sinusoidal;
    spec.mask.rule = PatternMask{MaskPattern::permutation, {}};
    spec.algorithm.type = AlgorithmType::two_stream;
    compose(mechanism, spec, without(component_knobs(spec), {"stream"}) + projections_knob());

    mechanism.example.query = "new york is a city on the coast";
    mechanism.example.look_for =
        "The order drawn is york, city, on, coast, the, new, a, is. The diagonal is empty: no word is "
        "guessed from itself. The row of “york” has nothing to go by, and “city”, second in the order, has "
        "“york” alone, 1.00. Step to the weights of the content stream: there “york” sees itself.";
    mechanism.properties.row_stochastic = false;  // the first of the order sees nothing
    mechanism.properties.sparse = true;
    return mechanism;
}

}  // namespace headlight
