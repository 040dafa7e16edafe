#include "core/catalog/masked_entry.h"
#include "core/catalog/publication_years.h"

namespace headlight {

Mechanism declare_predicted_mask() {
    Mechanism mechanism;
    mechanism.name = "A mask that queries draw (Mask2Former)";
    mechanism.also_known_as = {"masked attention", "masked cross-attention"};
    mechanism.family = "Selections";
    mechanism.order = 5484;
    mechanism.formula = masked_formula(
        R"(@mask_kept{\sigma(@mask_logits{e_i \cdot p_j}) \ge \tfrac{1}{2}} \text{ or there is no such } )"
        R"(j,\quad @mask_query{e_i = \operatorname{mlp}(\operatorname{norm}(x_i))},\quad p_j = y_j W + b)");
    mechanism.papers = {paper_of(
        "Cheng, Misra, Schwing, Kirillov and Girdhar",
        {.title = "Masked-attention Mask Transformer for Universal Image Segmentation",
         .authors = "Cheng, Bowen and Misra, Ishan and Schwing, Alexander G. and Kirillov, Alexander "
                    "and Girdhar, Rohit",
         .kind = Publication::Kind::proceedings,
         .venue = venues::cvpr,
         .year = 2022,
         .first_year = 2021})};
    mechanism.explanation =
        "A hundred learned queries look for the objects of a picture, and each is to say in the end which "
        "pixels are of its object. In DETR a query looks at all of the picture in every layer, and takes "
        "many epochs to learn to look at one thing. Here it draws its answer after every layer already: a "
        "small network makes a vector of the query, its product with the vector of each pixel says how "
        "surely that is of the object, and above one half the pixel is in the mask. The next layer lets the "
        "query look there alone, at what it believes to be its object, and so it can correct the outline. A "
        "query that has found nothing would be left with nothing to look at: it sees everything. What is "
        "added up is an ordinary softmax among the keys of the mask.";
    mechanism.cost =
        masked_cost("n (d w + 2 w²) + m d w multiply-adds for the vectors of w numbers that draw the masks, "
                    "n m w for their products, and n k (d + d_v) per head for masks of k keys.");
    mechanism.correction =
        "The mask is the same for all heads and no gradient goes through it: what draws it learns by the "
        "loss on the masks alone, not by what the query then finds. In the model the queries that come in "
        "are those that the layer before has made, masks are drawn on the finest image and made coarser for "
        "the layer, and after this attention the queries look at one another. A picture’s own padding is "
        "not masked there.";
    mechanism.related = {"object_queries", "slot_attention", "cross", "dsa"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::scaled_dot;
    spec.selection.type = SelectionType::predicted_mask;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + key_lengths_knob());

    mechanism.example.query = "animal fruit colour place number person";
    mechanism.example.key = "the red apple and the dog lie on the green grass";
    mechanism.example.look_for =
        "The network that draws has learned nothing, and most queries have “grass” alone in their masks. No "
        "word reaches one half for “animal”: so it sees all, and finds “dog”, 0.29. “number” has seven, and "
        "shares itself among them. Step to the logits: what is above 0 is what the map has.";
    mechanism.example.beside = "cross";
    mechanism.properties = {.permutation_equivariant = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
