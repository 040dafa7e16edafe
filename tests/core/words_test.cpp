// Which word a person who slipped probably meant.

#include "core/attention/spec_words.h"

#include <gtest/gtest.h>

namespace headlight::words_test { namespace {

struct Typed {
    const char* text;
    const char* meant;  ///< "" when nothing is suggested
};
void PrintTo(const Typed& row, std::ostream* out) { *out << row.text; }

class Nearest : public testing::TestWithParam<Typed> {};

TEST_P(Nearest, IsWhatWasMeantOrNothing) {
    std::vector<std::string> known = spellings<Activation>();
    for (const char* word : {"dot", "general", "W_q", "--seed", "causal"})
        known.emplace_back(word);
    EXPECT_EQ(nearest(GetParam().text, known), GetParam().meant);
}

INSTANTIATE_TEST_SUITE_P(Words, Nearest,
                         testing::Values(Typed{"tahn", "tanh"}, Typed{"atnh", "tanh"}, Typed{"tanhh", "tanh"},
                                         Typed{"rleu", "relu"}, Typed{"Relu", "relu"}, Typed{"dott", "dot"},
                                         Typed{"W_Q", "W_q"}, Typed{"--sedd", "--seed"},
                                         Typed{"kausal", "causal"}, Typed{"gemeral", "general"},
                                         // other functions, not slips
                                         Typed{"gelu", ""}, Typed{"silu", ""}, Typed{"selu", ""},
                                         Typed{"celu", ""}, Typed{"elu", ""}, Typed{"hot", ""},
                                         Typed{"x", ""}, Typed{"", ""}));

}}  // namespace headlight::words_test
