// Every cell of what components become by their settings can be explained, as explain_heads2_test.cpp has it
// of what the catalogue has.

#include "tests/oracle/settings.h"
#include "tests/support/explained_cells.h"

#include <string>

namespace headlight::explain_settings_test {

using namespace test;

namespace {

class ExplainedSettings : public testing::TestWithParam<std::string_view> {};

TEST_P(ExplainedSettings, CellByCell) { explain_every_cell(recorded(std::string(GetParam()))); }

INSTANTIATE_TEST_SUITE_P(Oracles, ExplainedSettings, testing::ValuesIn(all_settings()),
                         [](const auto& row) { return std::to_string(row.index); });

}  // namespace

}  // namespace headlight::explain_settings_test
