// headlight render: what an earlier program has written is drawn with the numbers that it drew.

#include "tests/cli/drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>

namespace headlight::drawn_before_test {

using namespace headlight::test;

namespace {

const std::string kept = HEADLIGHT_SOURCE_DIR "/tests/support/written_by_0.1.0/";  // by generate.sh there

constexpr double in_double = 1e-12;
constexpr double in_float = 1e-5;  // of a model: processors of other levels add floats in another order

struct KeptPicture {
    const char* file;
    const char* numbers;  ///< that were drawn from it
    const char* view;     ///< empty: its own
    double tolerance;
};
void PrintTo(const KeptPicture& row, std::ostream* out) { *out << row.file; }

std::vector<std::string> cells_of(const std::string& table) {
    std::vector<std::string> cells(1);
    for (const char letter : table)
        if (letter == ',' || letter == '\n')
            cells.emplace_back();
        else
            cells.back() += letter;
    return cells;
}

std::optional<double> number_of(const std::string& cell) {
    char* end = nullptr;
    const double number = std::strtod(cell.c_str(), &end);
    return cell.empty() || *end != '\0' ? std::nullopt : std::optional(number);
}

class DrawnBefore : public DrawingTest, public testing::WithParamInterface<KeptPicture> {};

TEST_P(DrawnBefore, HasTheSameNumbersNow) {
    Words options{"--strip"};
    if (*GetParam().view)
        options.insert(options.end(), {"--view", GetParam().view});
    const auto now = cells_of(draw_from(kept + GetParam().file, options, "now.csv"));
    const auto before = cells_of(read_file(kept + GetParam().numbers));
    ASSERT_EQ(now.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (now[i] == before[i])
            continue;
        const auto number = number_of(before[i]), found = number_of(now[i]);
        ASSERT_TRUE(number && found) << before[i] << ", now " << now[i];
        EXPECT_NEAR(*found, *number, GetParam().tolerance * std::max(1.0, std::abs(*number)));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kept, DrawnBefore,
    testing::Values(KeptPicture{"scaled_dot_product.json", "scaled_dot_product.csv", "stages", in_double},
                    KeptPicture{"multi_head.safetensors", "multi_head.csv", "stages", in_double},
                    KeptPicture{"cross.json", "cross.csv", "stages", in_double},
                    KeptPicture{"sparsemax.json", "sparsemax.csv", "stages", in_double},
                    KeptPicture{"linear.safetensors", "linear.csv", "stages", in_double},
                    KeptPicture{"asked.json", "figure.csv", "", in_double},  // a session
                    KeptPicture{"figure.png", "figure.csv", "", in_double},  // which carries it
                    KeptPicture{"figure.csv", "figure.csv", "", in_double},  // beside which it lies
                    KeptPicture{"gru.safetensors", "gru.csv", "", in_float},
                    KeptPicture{"luong.safetensors", "luong.csv", "", in_float},
                    KeptPicture{"transformer.safetensors", "transformer.csv", "", in_float},
                    KeptPicture{"gru/record.safetensors", "gru-learning.csv", "learning", in_float},
                    KeptPicture{"luong/record.safetensors", "luong-learning.csv", "learning", in_float},
                    KeptPicture{"transformer/record.safetensors", "transformer-learning.csv", "learning",
                                in_float}));

}  // namespace

}  // namespace headlight::drawn_before_test
