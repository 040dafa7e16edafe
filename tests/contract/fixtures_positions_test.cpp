// The reference numbers of positions (fixtures.json in the folder that HEADLIGHT_SHARED names).

#include "tests/contract/fixture_row.h"

#include "core/attention/position.h"

namespace headlight::fixtures_positions_test {

using namespace test;

namespace {

Operand canonical(const std::string& name) { return at("/canon/" + name); }

std::vector<Row> derived_rows() {
    const std::map<std::string, Operand> qkv{
        {"query", canonical("Q")}, {"key", canonical("K")}, {"value", canonical("V")}};
    const std::vector<Check> checks{{"weights", "/case/A"}, {"output", "/case/O"}};
    const auto with = [](const std::string& position) {
        return R"({"source": {"type": "cross"}, "mask": {"type": "causal"}, "position": )" + position + "}";
    };
    return {
        {"rope_interleaved", "rope_interleaved_causal", with(R"({"type": "rope", "layout": "interleaved"})"),
         qkv, checks},
        {"rope_half", "rope_half_causal", with(R"({"type": "rope", "layout": "half"})"), qkv, checks},
        {"alibi", "alibi_m0.25_causal", with(R"({"type": "alibi", "slope": 0.25})"), qkv, checks},
        {"alibi_key_only", "alibi_m0.25_causal",
         with(R"({"type": "alibi", "slope": 0.25, "form": "key_only"})"), qkv, checks},
    };
}

class PositionFixture : public testing::TestWithParam<Row> {};
TEST_P(PositionFixture, IsMet) { check_derived(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Fixtures, PositionFixture, testing::ValuesIn(derived_rows()),
                         [](const auto& row) { return row.param.name; });

struct DerivedPosition : testing::Test {
    void SetUp() override {
        if (shared_folder().empty())
            GTEST_SKIP() << "HEADLIGHT_SHARED is not set";
    }
    const Json& numbers() const { return fixtures()["derived"]; }
};

/// The bias alone: token vectors of zeros, so that the scores are 0.
std::vector<double> biases(const std::string& position, Index queries, Index keys, Index heads,
                           const std::map<std::string, Tensor>& parameters = {}) {
    Inputs inputs;
    inputs.query = Tensor({queries, heads});
    inputs.key = inputs.value = Tensor({keys, heads});
    inputs.parameters = parameters;
    const AttentionSpec each = spec(R"({"source": {"type": "cross"}, "heads": {"type": "multi", "heads": )" +
                                    std::to_string(heads) + R"(}, "position": )" + position + "}");
    return stage(record(planned(each, inputs)), "position_bias");
}

// A table that holds the number of its row shows the buckets themselves. The last query sees keys before it,
// the first one keys after it.
TEST_F(DerivedPosition, BucketsOfT5AreThoseOfTheAuthors) {
    Tensor table({32, 1});
    for (Index row = 0; row < 32; ++row)
        table(row, 0) = static_cast<double>(row);
    const auto rel = numbers()["t5_buckets"]["rel"].get<std::vector<Index>>();
    const Index n = rel.back() + 1;
    for (const std::string direction : {"bidirectional", "causal"}) {
        const auto map = biases(R"({"type": "t5", "bidirectional": )" +
                                    std::string(direction == "causal" ? "false" : "true") + "}",
                                n, n, 1, {{"relative_bias", table}});
        const auto expected = flat(numbers()["t5_buckets"][direction]);
        for (std::size_t i = 0; i < rel.size(); ++i) {
            const Index query = rel[i] < 0 ? n - 1 : 0;
            EXPECT_EQ(map[static_cast<std::size_t>(query * n + query + rel[i])], expected[i])
                << direction << ", key - query = " << rel[i];
        }
    }
}

TEST_F(DerivedPosition, SlopesOfAlibiAreThoseOfTheAuthors) {
    for (const auto& [heads, slopes] : numbers()["alibi_slopes"].items()) {
        const auto expected = flat(slopes);
        const auto map = biases(R"({"type": "alibi"})", 2, 2, std::stol(heads));
        for (std::size_t head = 0; head < expected.size(); ++head)
            EXPECT_NEAR(map[head * 4 + 2], -expected[head], 1e-12) << heads << " heads, head " << head;
    }
}

TEST_F(DerivedPosition, SinusoidsAreThoseOfThePaper) {
    const Tensor term = sinusoidal_positions(6, 8);
    EXPECT_TRUE(within(term.values(), flat(numbers()["sinusoidal_6x8"]), 1e-10));
}

}  // namespace

}  // namespace headlight::fixtures_positions_test
