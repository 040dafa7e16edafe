#include "core/figure/find_heads.h"

#include <gtest/gtest.h>

namespace headlight::find_heads_test { namespace {

/// Two layers of three heads, and a head that looks at the source.
HeadMarks marks() {
    HeadMarks marks;
    for (Index layer = 0; layer < 2; ++layer)
        for (Index head = 0; head < 3; ++head)
            marks.heads.push_back(
                {"layer." + std::to_string(layer), head,
                 "layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1), ""});
    marks.heads.push_back({"decoder.1.cross", 0, "decoder layer 2, looks at the source, head 1", ""});
    marks.heads.push_back({});  // a cell without a head
    return marks;
}

struct Row {
    const char* asked;
    std::vector<std::size_t> found;
};

class FindHeads : public testing::TestWithParam<Row> {};

TEST_P(FindHeads, ByNumberOrWord) { EXPECT_EQ(find_heads(marks(), GetParam().asked), GetParam().found); }

INSTANTIATE_TEST_SUITE_P(All, FindHeads,
                         testing::Values(Row{"3", {2, 5}}, Row{" head 3 ", {2, 5}}, Row{"h3", {2, 5}},
                                         Row{"layer 1", {0, 1, 2}}, Row{"L2", {3, 4, 5, 6}}, Row{"2.3", {5}},
                                         Row{"L2H3", {5}}, Row{"l2 h3", {5}}, Row{"2 3", {5}},
                                         Row{"Layer 2, head 3", {5}}, Row{"2.1", {3, 6}}, Row{"12", {}},
                                         Row{"source", {6}}, Row{"", {}}, Row{"  ", {}},
                                         Row{"L", {0, 1, 2, 3, 4, 5, 6}}, Row{"99999999999", {}}));

}}  // namespace headlight::find_heads_test
