#include "core/figure/cell_codes.h"
#include "core/figure/cell_signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace headlight::build_figure_cells_test { namespace {

constexpr double forbidden = -std::numeric_limits<double>::infinity();
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint16_t forbidden_code = CellCodes::forbidden, missing_code = CellCodes::missing;

Panel panel_of(Index rows, Index columns, std::vector<double> values, const std::string& map = "viridis") {
    Panel panel;
    panel.rows = rows;
    panel.columns = columns;
    panel.values = std::move(values);
    panel.scale = {map, ScaleKind::linear, map == "diverging" ? -1.0 : 0.0, 1};
    return panel;
}

TEST(CellCodes, AreTheEntriesOfTheMapAndWhatIsNoNumber) {
    Panel panel = panel_of(2, 3, {0, 0.5, 1, forbidden, missing, 0.25});
    EXPECT_EQ(cell_codes(panel, 9, 9).codes,
              (std::vector<std::uint16_t>{0, 128, 255, forbidden_code, missing_code, 64}));
    panel.forbidden = {0, 1, 0, 0, 0, 0};
    EXPECT_EQ(cell_codes(panel, 9, 9).at(0, 1), forbidden_code);
    EXPECT_TRUE(is_forbidden(panel, 0, 1));
    EXPECT_TRUE(is_forbidden(panel, 1, 0));
    EXPECT_FALSE(is_forbidden(panel, 1, 1));
}

TEST(NewestRow, IsStrongUnlessAnotherIsLookedAtAmongAllRows) {
    Panel panel = panel_of(4, 1, {0, 0, 0, 0});
    const auto strong = [&panel] {
        std::vector<Index> rows;
        for (Index row = 0; row < panel.rows; ++row)
            if (is_strong_row(panel, row))
                rows.push_back(row);
        return rows;
    };
    EXPECT_EQ(strong(), std::vector<Index>());
    panel.newest_row = 3;
    EXPECT_EQ(strong(), std::vector<Index>{3});
    panel.selected_row = 1;
    EXPECT_EQ(strong(), std::vector<Index>{1});
    panel.newest_row = 2;  // one is yet to come
    EXPECT_EQ(strong(), (std::vector<Index>{1, 2}));
}

// Signs in cells

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A row of everything: in the range, on its ends, outside of it, and no finite number.
Panel odd_panel() {
    Panel panel = panel_of(1, 9, {0.5, 0, 1, 1.5, -0.5, infinite, missing, forbidden, 7});
    panel.scale.clips_low = panel.scale.clips_high = true;
    panel.forbidden = {0, 0, 0, 0, 0, 0, 0, 0, 1};
    return panel;
}

TEST(CellSigns, SayWhatColoursCannot) {
    Panel panel = odd_panel();
    EXPECT_EQ(signed_cells(panel), (std::vector<SignedCell>{{0, 3, CellSign::above},
                                                            {0, 4, CellSign::below},
                                                            {0, 5, CellSign::infinite},
                                                            {0, 6, CellSign::no_number}}));
    // The ends of a scale that nobody chose are those of its kind.
    panel.scale.clips_low = panel.scale.clips_high = false;
    EXPECT_EQ(signed_cells(panel),
              (std::vector<SignedCell>{{0, 5, CellSign::infinite}, {0, 6, CellSign::no_number}}));
    panel.thumbnail = true;
    EXPECT_TRUE(signed_cells(panel).empty());
}

TEST(CellSigns, AreNotInWhatIsMissingByDesign) {
    Panel hidden = odd_panel();
    hidden.hidden_mass = 0.1;
    EXPECT_EQ(std::ranges::count(signed_cells(hidden), CellSign::no_number, &SignedCell::sign), 0);
    // Most cells of sparse rows are missing by design.
    Panel sparse = panel_of(1, 5, {0.5, missing, missing, missing, 0.5});
    EXPECT_TRUE(signed_cells(sparse).empty());
    // In a table they are to be told from small numbers.
    sparse.marks_gaps = true;
    EXPECT_EQ(signed_cells(sparse).size(), 3U);
}

TEST(CellSigns, AreNotDrawnWhereNobodyCouldSeeThem) {
    Panel panel = panel_of(90, 90, std::vector<double>(8'100, infinite));
    EXPECT_TRUE(signed_cells(panel).empty());
}

TEST(CellSigns, AreExplainedOnceAndNoLongerThanTheyAreThere) {
    Figure figure;
    figure.caption = "Hatched: forbidden by the mask.";
    figure.panels = {odd_panel()};
    tell_cell_signs(figure);
    const std::string all =
        "Hatched: forbidden by the mask.  In cells: ▲ above the range of colours, ▼ below "
        "the range of colours, ○ infinite, × no number.";
    EXPECT_EQ(figure.caption, all);
    figure.caption += "  Another note.";
    tell_cell_signs(figure);
    EXPECT_EQ(figure.caption, "Hatched: forbidden by the mask.  Another note.  " + all.substr(33));
    figure.panels = {panel_of(1, 1, {0.5})};
    tell_cell_signs(figure);
    EXPECT_EQ(figure.caption, "Hatched: forbidden by the mask.  Another note.");
    figure.panels = {panel_of(1, 1, {infinite})};
    figure.caption.clear();
    tell_cell_signs(figure);
    EXPECT_EQ(figure.caption, "In cells: ○ infinite.");
    tell_cell_signs(figure);
    EXPECT_EQ(figure.caption, "In cells: ○ infinite.");
}

TEST(CellCodes, EndAtTheNewestRow) {
    Panel panel = panel_of(3, 1, {0, 0.5, 1});
    for (const auto& [newest, rows] : {std::pair<Index, Index>{0, 1}, {1, 2}, {2, 3}, {7, 3}}) {
        panel.newest_row = newest;
        EXPECT_EQ(cell_codes(panel, 9, 9).rows, rows);
    }
}

TEST(CellCodes, OneBrightCellNeverVanishes) {
    for (const Index size : {1, 2, 3, 7, 10, 63}) {
        for (const Index at : {0, 1, 62, 63, 64, 2080, 4095}) {
            std::vector<double> values(4096, 0.1);  // 64 x 64
            values[static_cast<std::size_t>(at)] = 1;
            const CellCodes small = cell_codes(panel_of(64, 64, values), size, size);
            ASSERT_EQ(small.codes.size(), static_cast<std::size_t>(size * size));
            EXPECT_EQ(std::ranges::count(small.codes, 255), 1) << size << " " << at;
            const Index row = ((at / 64 + 1) * size - 1) / 64, column = ((at % 64 + 1) * size - 1) / 64;
            EXPECT_EQ(small.at(row, column), 255) << size << " " << at;
        }
    }
}

struct Row {
    std::vector<double> block;
    std::string map;
    std::uint16_t expected;
};

class CellBlock : public testing::TestWithParam<Row> {};

TEST_P(CellBlock, KeepsWhatMattersMost) {
    const auto& [block, map, expected] = GetParam();
    const Panel panel = panel_of(1, static_cast<Index>(block.size()), block, map);
    EXPECT_EQ(cell_codes(panel, 1, 1).codes, std::vector<std::uint16_t>{expected});
    const auto row_of_block = [&row = block](Index, std::span<float> numbers) {
        std::ranges::copy(row, numbers.begin());
    };
    CellCodes cells{2, 2, {1, 2, 3, 4}};  // what was there before is gone
    write_cell_codes(row_of_block, 1, panel.columns, panel.scale, 1, 1, cells);
    EXPECT_EQ(cells.codes, std::vector<std::uint16_t>{expected}) << "asked for a row at a time";
}

INSTANTIATE_TEST_SUITE_P(
    CellCodes, CellBlock,
    testing::Values(Row{{0.1, 0.5, 0.2}, "viridis", 128}, Row{{-0.5, 0.5, -1}, "diverging", 0},
                    Row{{-0.5, 0.75, 0}, "diverging", 224}, Row{{forbidden, 0}, "viridis", 0},
                    Row{{forbidden, 0}, "diverging", 128},
                    Row{{forbidden, forbidden}, "diverging", forbidden_code},
                    Row{{missing, forbidden}, "viridis", forbidden_code}, Row{{missing, 0.5}, "viridis", 128},
                    Row{{missing, missing}, "viridis", missing_code}));

TEST(ColourSteps, AreWholeExceptForHugeNoise) {
    Figure figure;
    figure.panels.push_back(panel_of(100, 100, std::vector<double>(10'000, 0.5)));
    EXPECT_EQ(colour_steps(figure), 256);
    EXPECT_EQ(colour_steps(Figure()), 256);
    std::vector<double> noise(4'000'000);  // 2000 x 2000
    std::uint32_t state = 1;
    for (double& value : noise)
        value = (state = state * 1664525u + 1013904223u) / 4294967296.0;
    figure.panels.front() = panel_of(2000, 2000, noise);
    EXPECT_EQ(colour_steps(figure), 20);
    figure.panels.front().thumbnail = true;
    EXPECT_EQ(colour_steps(figure), 256);
}

TEST(ColourSteps, AStepIsShownByItsMiddle) {
    for (std::uint16_t code = 0; code < CellCodes::count; ++code)
        EXPECT_EQ(stepped(code, 256), code);
    EXPECT_EQ(stepped(0, 4), 32);
    EXPECT_EQ(stepped(63, 4), 32);
    EXPECT_EQ(stepped(64, 4), 96);
    EXPECT_EQ(stepped(255, 4), 224);
    EXPECT_EQ(stepped(CellCodes::forbidden, 4), CellCodes::forbidden);
}

}}  // namespace headlight::build_figure_cells_test
