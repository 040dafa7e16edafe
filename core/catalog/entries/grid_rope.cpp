#include "core/catalog/knob.h"
#include "core/catalog/publication_years.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_grid_rope() {
    Mechanism mechanism;
    mechanism.name = "Rotary positions on a grid";
    mechanism.also_known_as = {"axial RoPE", "2-D RoPE", "vision RoPE"};
    mechanism.family = "Positions";
    mechanism.order = 2575;
    mechanism.formula = rotary_formula(R"(\text{pair } c \text{ of the first half turned by } y\,)"
                                       R"(\theta_c, \text{ of the second by } x\,\theta_c,\ \theta_c = )"
                                       R"(10000^{-4c/d})");
    mechanism.papers = {
        {"Heo et al., Rotary Position Embedding for Vision Transformer (axial frequency)", 2024},
        {"Wang et al., Qwen2-VL: Enhancing Vision-Language Model’s Perception of the World at Any Resolution "
         "(its vision encoder)",
         2024},
        paper_of("Ravi et al.",
                 {.title = "SAM 2: Segment Anything in Images and Videos",
                  .authors = "Ravi, Nikhila and Gabeur, Valentin and Hu, Yuan-Ting and Hu, Ronghang and "
                             "Ryali, Chaitanya and Ma, Tengyu and Khedr, Haitham and Rädle, Roman and "
                             "Rolland, Chloe and Gustafson, Laura and Mintun, Eric and Pan, Junting and "
                             "Alwala, Kalyan Vasudev and Carion, Nicolas and Wu, Chao-Yuan and Girshick, "
                             "Ross and Dollár, Piotr and Feichtenhofer, Christoph",
                  .kind = Publication::Kind::proceedings,
                  .venue = venues::iclr,
                  .year = 2025,
                  .first_year = 2024},
                 "its memory attention")};
    mechanism.explanation =
        "Numbered row by row, two patches one above the other are as far apart as a row is long, and the "
        "last of a row stands beside the first of the next. Rotary positions know no better as long as they "
        "turn by that number. On a grid there are two numbers, so the pairs of features are shared out: one "
        "half is turned by the row of the patch and knows nothing of columns, the other by its column. Each "
        "half has fast and slow pairs of its own. The score then depends on the content and on both "
        "offsets, so that the same patch one row down gives the same score everywhere. What it cannot "
        "single out is a diagonal, for no pair sees row and column at once. Here the words of a text stand "
        "for the patches, three in a row. A video may be looked back at: with `rows` the cells of each "
        "earlier frame have the places of that frame alone, so that a patch finds what was at its place, "
        "and what is no patch among the keys, the summaries of objects that SAM 2 remembers, is not turned "
        "(`position.unplaced`, with keys of their own).";
    mechanism.cost = "as RoPE";
    mechanism.correction =
        "The speeds begin again in each half. One series over both would leave the columns with the slow "
        "pairs alone; M-RoPE does so on purpose, for its text. Heo et al. take 100 as the base, for an "
        "image has fewer rows than a text has words; 10000 is that of Qwen2-VL.";
    mechanism.equivalences = {equal_when(
        "rope", "all tokens are text, both coordinates are the place, and one series of speeds turns them",
        {.here = {{"text", Index(65536)}, {"speeds", std::string("shared")}}})};
    mechanism.related = {"rope", "m_rope", "grid_bias", "sinusoidal"};

    AttentionSpec spec;
    spec.position.type = PositionType::grid_rope;
    compose(mechanism, spec,
            without(component_knobs(spec), {"unplaced"}) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row";
    mechanism.example.look_for =
        "One word nine times over, on a grid of three rows of three. The middle word sees those above and "
        "below it alike, those beside it alike, and the corners least. By its number alone, as in RoPE, "
        "the words above and below are three places off, and the corners two or four.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight
