#include "core/attention/grid.h"
#include "core/attention/refusals.h"
#include "core/attention/rotary.h"
#include "core/attention/turned_pairs.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {
namespace {

/// Tokens of a text, and behind them cells of a grid, or of several of as many rows, one after another.
struct GridScene {
    Grid grid;
    Index rows = 0;  ///< of a frame; 0: there is one frame
    Index text = 0;

    /// What turns the pairs of a section: (row, column), or (frame, row, column).
    Index coordinate(Index token, std::size_t section, std::size_t sections) const {
        if (token < text)  // all alike
            return token;
        const Index row = grid.row(token - text), column = grid.column(token - text);
        if (section + 1 == sections)
            return text + column;
        if (section + 2 == sections)
            return text + (rows > 0 ? row % rows : row);
        return text + (rows > 0 ? row / rows : 0);
    }
};

/// A section of the pairs, which one coordinate turns.
struct PairSection {
    Index first = 0, end = 0;
    bool has(Index pair) const { return pair >= first && pair < end; }
};

std::vector<PairSection> pair_sections(const Plan& plan) {
    const auto& shares = plan.position().list("sections");
    const Index all = std::accumulate(shares.begin(), shares.end(), Index(0));
    const Index pairs = plan.head_query_width() / 2;
    std::vector<PairSection> sections;
    Index so_far = 0;
    for (const Index share : shares) {
        const Index first = pairs * so_far / all;
        so_far += share;
        sections.push_back({first, pairs * so_far / all});
    }
    return sections;
}

Index unplaced_keys(const Plan& plan) { return plan.position().count("unplaced"); }

void check_grid_rope(const Plan& plan) {
    const auto& shares = plan.position().list("sections");
    if (shares.size() < 2 || shares.size() > 3)
        throw Error({"grid_rope", "position.sections",
                     "2 numbers, for row and column, or 3, for frame, row and column",
                     std::to_string(shares.size())});
    if (std::accumulate(shares.begin(), shares.end(), Index(0)) == 0)
        throw Error({"grid_rope", "position.sections", "a number above 0 among them", "zeros"});
    require_keys_of_query_width(plan, "grid_rope");
    if (unplaced_keys(plan) > 0 && plan.spec.source.type != SourceType::cross)
        throw Error({"grid_rope", "position.unplaced",
                     "0: of one sequence keys have the places that they have as queries",
                     std::to_string(unplaced_keys(plan))});
}

Expression define_grid_rope(Composer& composer, const std::string& name, const Expression& x, bool is_key) {
    const Plan& plan = composer.plan;
    const Options& options = plan.position();
    const std::vector<PairSection> sections = pair_sections(plan);
    const bool is_shared = options.word("speeds") == "shared";
    const double base = options.number("base");
    const Index pairs = plan.head_query_width() / 2;
    PairTurns turns;
    turns.is_interleaved = has_neighbouring_pairs(options);
    std::vector<std::size_t> section_of_pair;
    for (Index pair = 0; pair < pairs; ++pair) {
        const auto found =
            std::ranges::find_if(sections, [&](const PairSection& section) { return section.has(pair); });
        section_of_pair.push_back(static_cast<std::size_t>(found - sections.begin()));
        const PairSection range = is_shared ? PairSection{0, pairs} : *found;
        turns.frequencies.push_back(std::pow(base, -static_cast<double>(pair - range.first) /
                                                       static_cast<double>(range.end - range.first)));
    }
    const GridScene scene{{options.count("columns")}, options.count("rows"), options.count("text")};
    const Index placed = x.extent().rows - (is_key ? unplaced_keys(plan) : 0);
    turns.place = [scene, section_of_pair, placed, count = sections.size()](Index row, Index pair) {
        if (row >= placed)
            return 0.0;  // and so no angle
        return static_cast<double>(
            scene.coordinate(row, section_of_pair[static_cast<std::size_t>(pair)], count));
    };
    return turned_by(composer, turns, name, x);
}

}  // namespace

PositionComponent declare_positions_grid_rope() {
    PositionComponent component;
    component.meaning =
        "Rotary positions on a grid: some pairs of features are turned by the row, some by the column "
        "(axial RoPE, Heo et al. 2024), and some by the frame of a video (M-RoPE, Qwen2-VL, Wang et al. "
        "2024); keys behind those of earlier frames may have no place (SAM 2, Ravi et al. 2025)";
    component.options = {
        columns_option(),
        count_option(
            "rows", "Rows of a frame", 0, {0, 65536},
            "How many rows of the grid are one frame of a video; the next one begins at row 0 again.", "all"),
        count_option("unplaced", "Keys without a place", 0, {0, 65536},
                     "How many keys of another sequence, at its end, are no cells and are not turned: "
                     "summaries of objects, in SAM 2.",
                     "none"),
        count_option("text", "Text before", 0, {0, 65536},
                     "How many tokens before the grid are text: all of their coordinates are their place, "
                     "and those of the grid begin behind it."),
        list_option("sections", "Sections", {1, 1}, {0, 4096},
                    "What share of the pairs row and column turn, one behind the other; with three numbers "
                    "frame, row and column. Qwen2-VL has 16, 24 and 24."),
        word_option("speeds", "Speeds", {"own", "shared"},
                    "Whether each section has fast and slow pairs of its own, or its piece of one series "
                    "from fast to slow, as in M-RoPE."),
        pairs_option(),
        base_option("Pair i of p turns by base^(−i/p) from one place to the next.")};
    component.check = check_grid_rope;
    component.paired = {turned_features()};
    component.stages = add_rotated_stages;
    component.turns_vectors = true;
    component.declared_stages = {
        made_stage("query_angles", "Angles of the queries", {"coordinate × turn, in radians"},
                   {.lights = "rotated_query", .has_features = true}),
        made_stage("key_angles", "Angles of the keys", {"coordinate × turn, in radians"},
                   {.colours_of = "query_angles",
                    .lights = "rotated_key",
                    .is_of_keys = true,
                    .has_features = true}),
        declared_rotated_query(), declared_rotated_key()};
    component.define_turn = define_grid_rope;
    return component;
}

}  // namespace headlight
