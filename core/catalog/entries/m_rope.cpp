#include "core/catalog/knob.h"
#include "core/catalog/rotary_formula.h"

namespace headlight {

Mechanism declare_m_rope() {
    Mechanism mechanism;
    mechanism.name = "M-RoPE";
    mechanism.also_known_as = {"multimodal rotary positions", "MRoPE", "3-D RoPE"};
    mechanism.family = "Positions";
    mechanism.order = 2577;
    mechanism.formula = rotary_formula(
        R"(\text{pair } c \text{ turned by } p_{s(c)}\,10000^{-2c/d},\ (p_1, p_2, p_3) = (t, y, x))");
    mechanism.papers = {
        {"Wang et al., Qwen2-VL: Enhancing Vision-Language Model’s Perception of the World at Any Resolution",
         2024}};
    mechanism.explanation =
        "A model that reads text and looks at videos has places of two kinds. A word has one number; a "
        "patch has three, its frame t, its row y and its column x. M-RoPE gives all of them three. The "
        "pairs of features are cut into three sections s, and each is turned by its own coordinate. For a "
        "word all three are its place, and since the speeds run through the sections as one series, it is "
        "turned exactly as RoPE would turn it: a language model that was trained on text goes on as it "
        "was. An image begins at the place behind the text before it, where all cells share t and differ "
        "in y and x. A large image so takes up as many places as it has rows or columns, and not as many "
        "as it has patches. Here two words of text come first, and the others stand for the patches of a "
        "video of 2 × 2 cells.";
    mechanism.cost = "as RoPE";
    mechanism.correction =
        "The sections are counted in pairs, 16, 24 and 24 of the 64 of a head: the fastest sixteen go to "
        "time. Later models mix the coordinates pair by pair, so that each has fast and slow ones.";
    mechanism.equivalences = {equal_when("rope", "for text alone the three coordinates are one place",
                                         {.here = {{"text", Index(65536)}}})};
    mechanism.related = {"grid_rope", "rope", "rope_interleaved"};

    AttentionSpec spec;
    spec.position.type = PositionType::grid_rope;
    spec.position.options = {{"columns", Index(2)},
                             {"rows", Index(2)},
                             {"text", Index(2)},
                             {"sections", std::vector<Index>{16, 24, 24}},
                             {"speeds", std::string("shared")}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"unplaced"}) + projection_knobs() + causal_knob());

    mechanism.example.query = "look here red blue green black red blue green black";
    mechanism.example.look_for =
        "The angles of the queries: the first two rows, text, run as one series. The next four are a "
        "frame, whose first section stands still; in the last four it has gone on by one place.";
    mechanism.example.stage = "query_angles";
    return mechanism;
}

}  // namespace headlight
