#include "core/catalog/knob.h"
#include "core/catalog/publication_years.h"

namespace headlight {

Mechanism declare_region_tokens() {
    Mechanism mechanism;
    mechanism.name = "Regional-to-local attention (RegionViT)";
    mechanism.also_known_as = {"RegionViT", "R2L attention"};
    mechanism.family = "Images";
    mechanism.order = 3954;
    mechanism.formula =
        R"(@context{o_i = \operatorname{softmax}\left(\frac{@query{q_i}\,[@region_weights{r'_j W_k};\, )"
        R"(@key{K_j}]^\top}{\sqrt{d}} + [0;\, B]\right)\,[r'_j W_v;\, @value{V_j}]},\quad i \in j,\quad )"
        R"(@informed_regions{R' = R + @weights_of_regions{\operatorname{softmax}\left(@scores_of_regions{)"
        R"(\frac{R W_q (R W_k)^\top}{\sqrt{d}}}\right)}\,R W_v W_o},\quad )"
        R"(@region_tokens{R_j = [x_{j,1};\, \ldots;\, x_{j,s^2}]\,W + b},\quad )"
        R"(@weights{A_{ik} = \operatorname{softmax}(\ldots)_{ik}},\, k \in j)";
    mechanism.papers = {paper_of("Chen, Panda and Fan",
                                 {.title = "RegionViT: Regional-to-Local Attention for Vision Transformers",
                                  .authors = "Chen, Chun-Fu and Panda, Rameswar and Fan, Quanfu",
                                  .kind = Publication::Kind::proceedings,
                                  .venue = venues::iclr,
                                  .year = 2022,
                                  .first_year = 2021,
                                  .first_month = 6})};
    mechanism.explanation =
        "An image has two sets of tokens: many small patches, and a few large ones, the regions, each of "
        "which covers a square of small ones. First the regions look at one another, as the tokens of a "
        "plain vision transformer do; they are few, so that this costs little, and each then knows "
        "something of the whole image. Then every region goes into its square and stands there as one more "
        "token, and the small ones look at each other and at it. A patch never sees beyond its square, but "
        "what stands beside it there has. Both looks have the same matrices. In the next layer the regions "
        "have been told by their patches in turn.";
    mechanism.cost =
        "n s² (d + d_v) multiply-adds per head inside regions of s × s tokens and (n / s²)² (d + d_v) among "
        "them; memory n s² + (n / s²)². As computed here, with all maps, n² (d + d_v).";
    mechanism.correction =
        "A model makes its regions once, of the pixels, and hands them on from layer to layer; here each is "
        "made of the tokens in it by the same kind of matrix, so that one layer stands for itself, and what "
        "the region hears in its square is for the next layer and not shown. The norms before both looks, "
        "which see each token alone, are left out. The map shows what a token takes from tokens; what comes "
        "by the region’s token is a stage of its own.";
    mechanism.related = {"swin", "window_tokens", "shifted_swin", "spatial_reduction", "memory_tokens"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::region_tokens;
    spec.algorithm.options = {{"columns", Index(4)}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for =
        "The words are a grid of two rows of four, in two regions. The map is that of windows but for what "
        "each word gives to its region’s token, 0.025 of “cat” and less of the others: the one way from the "
        "colours to the animals. Step on to the map of regions: they are made by a matrix that has learned "
        "nothing yet, and look at themselves, 0.997 and 0.994.";
    mechanism.example.beside = "swin";
    mechanism.properties = {.row_stochastic = false, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
