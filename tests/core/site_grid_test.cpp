#include "core/figure/site_grid.h"

#include <gtest/gtest.h>

namespace headlight::site_grid_test { namespace {

std::vector<Panel> panels_of(std::initializer_list<const char*> sites) {
    std::vector<Panel> panels;
    for (const char* site : sites) {
        panels.emplace_back().site = site;
        panels.back().title = site;
    }
    return panels;
}

/// The titles of the grid, row by row; "-" for an empty place.
std::vector<std::string> titles(const SiteGrid& grid) {
    std::vector<std::string> all;
    for (const Panel& panel : grid.panels)
        all.push_back(panel.blank ? "-" : panel.title);
    return all;
}

TEST(SiteGrid, TheLayersOfATransformerLineUp) {
    const auto grid = by_layers(panels_of({"encoder.0.self", "encoder.1.self", "decoder.0.self",
                                           "decoder.0.cross", "decoder.1.self", "decoder.1.cross"}));
    ASSERT_TRUE(grid);
    EXPECT_EQ(grid->columns, 3);
    EXPECT_EQ(titles(*grid),
              (std::vector<std::string>{"encoder.0.self", "decoder.0.self", "decoder.0.cross",
                                        "encoder.1.self", "decoder.1.self", "decoder.1.cross"}));
}

TEST(SiteGrid, AStackOfAnotherHeightLeavesPlacesEmpty) {
    const auto grid =
        by_layers(panels_of({"encoder.0.self", "decoder.0.self", "decoder.1.self", "decoder.10.self"}));
    ASSERT_TRUE(grid);
    EXPECT_EQ(titles(*grid), (std::vector<std::string>{"encoder.0.self", "decoder.0.self", "-",
                                                       "decoder.1.self", "-", "decoder.10.self"}));
}

TEST(SiteGrid, WhatIsNotOfLayersOrAllOfOneKindStaysAsItIs) {
    EXPECT_FALSE(by_layers(panels_of({"decoder.cross"})));
    EXPECT_FALSE(by_layers(panels_of({"", "Causal attention", "RoPE v1.5.2"})));
    EXPECT_FALSE(by_layers(panels_of({"decoder.0.self", "decoder.1.self"})));
    EXPECT_FALSE(by_layers(panels_of({"encoder.0.self", "decoder.-1.self"})));
    EXPECT_FALSE(by_layers({}));
}

}}  // namespace headlight::site_grid_test
