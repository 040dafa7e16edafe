// The main program of GoogleTest rows that several files share: `--file=NAME` runs those of NAME.cpp alone, and so each
// file is a test of its own. A filter by name, as --gtest_filter gives it, goes first.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

/** The names of all rows that stand in NAME.cpp, as a filter of GoogleTest; empty if none does. */
std::string rows_of_file(std::string_view name) {
  const std::string ending = "/" + std::string(name) + ".cpp";
  std::string rows;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int s = 0; s < tests.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *tests.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& row = *suite.GetTestInfo(t);
      if (std::string_view(row.file()).ends_with(ending)) rows += std::string(suite.name()) + "." + row.name() + ":";
    }
  }
  return rows;
}

}  // namespace

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  constexpr std::string_view option = "--file=";
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with(option)) {
      std::fprintf(stderr, "unknown option '%s': expected --file=NAME\n", words[i]);
      return 2;
    }
    const std::string rows = rows_of_file(word.substr(option.size()));
    if (rows.empty()) {
      std::fprintf(stderr, "'%s': this program has no rows of that file\n", words[i]);
      return 2;
    }
    if (GTEST_FLAG_GET(filter) == "*") GTEST_FLAG_SET(filter, rows);
  }
  return RUN_ALL_TESTS();
}
