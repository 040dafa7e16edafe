// There is one softmax: the kernels', for a row, and what turns its sum into the shares that are asked for.
// Who adds up exponentials elsewhere is named here, with the reason why that is no second one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace headlight::one_softmax_test { namespace {

namespace fs = std::filesystem;

/// Without comments, and with nothing between quotation marks.
std::string without_words(const std::string& code) {
    static const std::regex quoted(R"re('"'|"(\\.|[^"\\\n])*")re"), comment(R"(//[^\n]*)");
    return std::regex_replace(std::regex_replace(code, quoted, "\"\""), comment, "");
}

/// The first place that may be part of a loop over a largest number, exponentials and their sum; empty where
/// there is none. A statement with a text in it says a number, and adds none.
std::string part_of_a_softmax(const std::string& code) {
    static const std::regex patterns[] = {
        std::regex(
            R"re((\+=|push_back\(|emplace_back\()[^;{}"]*\bstd::exp(m1)?\()re"),  // added, or put aside
        std::regex(R"re(\bexponentials?\(\s*[^)\s])re"),                          // the kernels' own
        std::regex(R"re(\bstd::exp(m1)?\([^;{}"]*-[^;{}",()]*([lL]argest|[mM]ax|[mM]ost|[hH]igh))re"),
    };
    if (code.find("std::exp") == code.npos && code.find("exponential") == code.npos)
        return {};
    const std::string silent = without_words(code);
    for (const std::regex& pattern : patterns)
        if (std::smatch match; std::regex_search(silent, match, pattern))
            return match.str();
    return {};
}

TEST(OneSoftmax, IsFoundWhereASecondOneIsWritten) {
    for (const char* second :
         {"sum += std::exp(score - largest);", "for (double x : row)\n    sum += all[i++] =\n  std::exp(x);",
          "exponentials.push_back(std::exp(other - offset));", "return std::exp(x - row_maximum) / sum;",
          "sum += /* why */ std::exp(x);", "const Real sum = kernels.exponentials(row, size, largest, 1);",
          "by.exponential(weights.data(), cells, weights.data());",
          "sum +=  // of \"all\"\n    std::exp(x);"})
        EXPECT_NE(part_of_a_softmax(second), "") << second;
    for (const char* other :
         {"return rows.let(\"exponentials\", rows.exponentials());", "return std::exp(-x * x / 2);",
          "// sum += std::exp(score - largest)\nsum += share;",
          "said += \"Probability \" + percent(std::exp(x));",
          "Expression exponentials = exp_of(x - largest);", "meaning = \"exp(s - largest) / (1 + sum)\";",
          "const double rate = std::exp(log_rate);"})
        EXPECT_EQ(part_of_a_softmax(other), "") << other;
}

TEST(OneSoftmax, IsThatOfTheKernels) {
    const std::map<std::string, std::string> let_through{
        {"core/analysis/map_statistics.cpp", "how many keys an entropy is as good as, of each row"},
        {"core/attention/algorithms/efficient.cpp", "features of keys; the recurrence divides by their sums"},
        {"core/attention/algorithms/external_memory.cpp", "shares from logarithms that are kept as well"},
        {"core/attention/algorithms/linear.cpp", "ELU + 1, which knows no largest number"},
        {"core/attention/algorithms/online_softmax.cpp",
         "one that sees its row in tiles, and its cells in words"},
        {"core/attention/algorithms/performer.cpp", "features; the recurrence divides by their sums"},
        {"core/attention/algorithms/rwkv4.cpp", "how fast channels fade: nothing is divided"},
        {"core/attention/algorithms/turing.cpp", "powers of weights that there are, and a cell in words"},
        {"core/attention/normalizers/balancing.h", "logarithms of sums, as factors of rows"},
        {"core/attention/normalizers/column_sums.h", "of columns, row by row as the numbers lie"},
        {"core/attention/normalizers/dense_rows.h", "softpick's exponentials less one"},
        {"core/attention/normalizers/rows.h", "the one that all call, with what a sink adds to its sum"},
        {"core/attention/normalizers/slot.cpp", "shares that are shown, and a cell in words"},
        {"core/attention/normalizers/walk_rows.h",
         "of all keys up to each, in one pass by running logarithms; of chunks of a few keys, for which to "
         "call a kernel takes longer"},
        {"core/attention/recurrence.cpp", "gates from their logarithms"},
        {"core/figure/motion_step.cpp", "term by term, as a film writes them"},
        {"core/graph/element_operations.cpp", "the operation that definitions have"},
        {"core/map/head_rows.cpp", "in chunks of keys, whose sums meet afterwards"},
        {"core/nn/elementwise.cpp", "the bell in the derivative of GELU"},
        {"core/nn/entropy.cpp", "of each row, with its derivative"},
        {"core/nn/loss.cpp", "the logarithm of a row's share, with its derivative"},
    };
    std::set<std::string> found;
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const char* wing : {"core", "ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(root / wing)) {
            const std::string path = fs::relative(entry.path(), root).generic_string();
            if (path.starts_with("core/kernels/") || (!path.ends_with(".h") && !path.ends_with(".cpp")))
                continue;
            std::ifstream file(entry.path());
            const std::string part = part_of_a_softmax({std::istreambuf_iterator<char>(file), {}});
            if (part.empty())
                continue;
            found.insert(path);
            EXPECT_TRUE(let_through.contains(path))
                << path << ": " << part
                << "\nsoftmax_row() of core/attention/normalizers/rows.h makes a row, "
                << "sum_of_powers() of core/kernels/power_sum.h single shares";
        }
    for (const auto& [path, why] : let_through)
        EXPECT_TRUE(found.contains(path)) << path << " adds up none any more: " << why;
}

}}  // namespace headlight::one_softmax_test
