// The derived matrices of masks and selections, through the patterns themselves.

#include "tests/contract/fixture_row.h"

namespace headlight::fixtures_patterns_test {

using namespace test;

namespace {

std::vector<Row> rows() {
    std::vector<Row> list;
    const auto add = [&](const std::string& id, const std::string& rest) {
        list.push_back({id,
                        id,
                        R"({"source": {"type": "cross"}, )" + rest + "}",
                        {{"query", at("/canon/Q")}, {"key", at("/canon/K")}, {"value", at("/canon/V")}},
                        {{"weights", "/case/A"}, {"output", "/case/O"}}});
    };
    const auto mask = [&](const std::string& id, const std::string& json) { add(id, R"("mask": )" + json); };
    const std::string causal = R"({"type": "causal"})";
    mask("mask_causal", causal);
    mask("mask_window3_causal", R"({"type": "window", "size": 3})");
    mask("mask_window_sym1", R"({"type": "symmetric_window", "reach": 1})");
    mask("mask_dilated_w4_r2_sym", R"({"type": "dilated", "reach": 4, "step": 2})");
    mask("mask_strided_l3", R"({"type": "strided", "stride": 3})");
    mask("mask_fixed_l3_c1", R"({"type": "fixed", "stride": 3, "summary": 1})");
    mask("mask_prefix2", R"({"type": "prefix", "length": 2})");
    mask("mask_sink1_window2",
         R"({"all": [{"any": [{"type": "sinks", "sinks": 1}, {"type": "window", "size": 2}]}, )" + causal +
             "]}");
    mask("mask_block2", R"({"type": "blocks", "size": 2})");
    mask("mask_block2_causal", R"({"all": [{"type": "blocks", "size": 2}, )" + causal + "]}");
    mask("mask_doc_2_4_causal", R"({"all": [{"type": "documents", "lengths": [2, 4]}, )" + causal + "]}");
    mask("mask_longformer_w1_g0",
         R"({"any": [{"type": "symmetric_window", "reach": 1}, {"type": "global", "tokens": [0]}]})");
    add("topk2", R"("selection": {"type": "top_k", "k": 2})");
    return list;
}

class PatternFixture : public testing::TestWithParam<Row> {};
TEST_P(PatternFixture, GivesItsNumbers) { check_derived(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Fixtures, PatternFixture, testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.name; });

}  // namespace

}  // namespace headlight::fixtures_patterns_test
