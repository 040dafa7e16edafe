// `headlight run --spec` answers for every combination of the components. The engine's tests hold every
// combination to its oracle; here every score meets every source, projection and heads, and the other
// components take turns, so that every pair of words meets, and in the short form a third of these runs,
// others of each score. HEADLIGHT_EVERY_COMBINATION=1 runs the whole product (tens of thousands of runs).

#include "core/attention/spec_json.h"
#include "core/io/json_text.h"
#include "core/io/trace_file.h"
#include "core/tensor/sanitizers.h"
#include "tests/cli/run_here.h"
#include "tests/support/long_tests.h"

#include <cstdlib>

namespace headlight::run_answers_test {

using namespace headlight::test;
using nlohmann::json;

namespace {

std::vector<std::string> scores() {
    std::vector<std::string> list;
    for (const std::string type : {"dot", "scaled_dot", "learned_scale", "general", "self_similarity"})
        list.push_back(R"({"type": ")" + type + R"("})");
    for (const std::string type : {"concat", "additive"})
        for (const std::string activation : {"tanh", "relu", "sigmoid", "identity"})
            for (const std::string bias : {"false", "true"})
                list.push_back(R"({"type": ")" + type + R"(", "activation": ")" + activation +
                               R"(", "bias": )" + bias + "}");
    return list;
}

const std::vector<std::string> projections{R"({"type": "none"})", R"({"type": "identity"})",
                                           R"({"type": "learned"})", R"({"type": "learned", "bias": true})"};
const std::vector<std::string> heads{R"({"type": "single"})", R"({"type": "multi", "heads": 2})"};
const std::vector<std::string> positions{R"({"type": "none"})", R"({"type": "sinusoidal"})"};
const std::vector<std::string> mask_terms{R"("mask_order": "after_scale")", R"("mask_order": "before_scale")",
                                          R"("mask_order": "before_scale", "mask_value": -3)"};
const std::vector<std::string> normalizers{
    R"({"type": "softmax"})", R"({"type": "softmax", "temperature": 0.5})",
    R"({"type": "hard", "mode": "argmax"})", R"({"type": "hard", "mode": "sample", "draws": 3})"};

/// For 3 queries, and 4 keys in cross attention.
std::vector<std::string> masks(bool cross) {
    const std::string allowed =
        cross ? "[[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]]" : "[[1, 0, 1], [0, 0, 0], [1, 1, 1]]";
    return {R"({"type": "none"})",
            R"({"type": "causal"})",
            R"({"type": "causal", "align": "bottom_right"})",
            R"({"type": "padding", "key_lengths": 2})",
            R"({"type": "matrix", "allowed": )" + allowed + "}",
            R"({"all": [{"type": "causal"}, {"type": "padding", "key_lengths": 2}]})",
            R"({"any": [{"type": "causal"}, {"type": "padding", "key_lengths": 1}]})",
            R"({"not": {"type": "causal"}})"};
}

const char* inputs_of(bool cross) {
    return cross
               ? R"({"query": [[1, 2, -1, 0], [0.5, 0, 1, 1], [0, -1, 2, 0.25]],
                       "key": [[1, 0, 0, 1], [2, 1, 0, 0], [0, 0, -1, 1], [1, 1, 1, 1]],
                       "value": [[1, 2], [3, 4], [5, 6], [7, 8]]})"
               : R"({"query": [[1, 2, -1, 0], [0.5, 0, 1, 1], [0, -1, 2, 0.25]], "tokens": {"query": ["a", "b", "c"]}})";
}

/// The rest of the components: all of them, or for each `turn` one of each, their numbers prime to one
/// another.
struct Rest {
    std::string position, mask, mask_term, normalizer;
};
std::vector<Rest> rests(bool cross, std::size_t turn) {
    const std::vector<std::string> all_masks = masks(cross);
    if (!std::getenv("HEADLIGHT_EVERY_COMBINATION")) {
        std::vector<Rest> some;
        for (std::size_t mask = turn % 2; mask < all_masks.size(); mask += 2) {
            const std::size_t step = turn + mask;
            some.push_back({positions[(step / 3) % positions.size()], all_masks[mask],
                            mask_terms[step % mask_terms.size()],
                            normalizers[(step / 2) % normalizers.size()]});
        }
        return some;
    }
    std::vector<Rest> all;
    for (const auto& position : positions)
        for (const auto& mask : all_masks)
            for (const auto& mask_term : mask_terms)
                for (const auto& normalizer : normalizers)
                    all.push_back({position, mask, mask_term, normalizer});
    return all;
}

void expect_stages(const Trace& trace, const json& spec) {
    for (const char* name : {"tokens", "query", "key", "value", "scores", "scaled_scores", "masked_scores",
                             "weights", "context", "output"})
        EXPECT_NE(trace.find(name), nullptr) << name;
    const bool has_energy = spec["score"]["type"] == "concat" || spec["score"]["type"] == "additive";
    EXPECT_EQ(trace.find("energy") != nullptr, has_energy);

    const Stage& weights = *trace.find("weights");
    const auto values = trace.values(weights);
    const auto keys = static_cast<std::size_t>(weights.extent(Axis::key));
    const auto queries = static_cast<std::size_t>(weights.extent(Axis::query));
    for (std::size_t row = 0; row * keys < values.size(); ++row) {
        double sum = 0;
        for (const double weight : values.subspan(row * keys, keys)) {
            EXPECT_GE(weight, 0);
            sum += weight;
        }
        const auto query = static_cast<Index>(row % queries);
        EXPECT_NEAR(sum, std::ranges::count(trace.fully_masked_queries, query) ? 0 : 1, 1e-12)
            << "row " << row;
    }
}

class Answers : public testing::TestWithParam<std::tuple<bool, std::string>> {};

TEST_P(Answers, ForEveryProjectionHeadsMaskAndNormaliser) {
    const auto& [cross, score] = GetParam();
    Workplace place;
    const std::string inputs = place.write("i.json", inputs_of(cross));
    std::size_t turn = 0, number = is_sanitized ? 0 : score.size();
    for (const std::string& projection : projections) {
        for (const std::string& head : heads) {
            for (const Rest& rest : rests(cross, turn++)) {
                if (is_sanitized ? number++ % 12 != 0 : !has_turn(number++, 3))
                    continue;
                const std::string spec = R"({"source": {"type": ")" + std::string(cross ? "cross" : "self") +
                                         R"("}, "projections": )" + projection + R"(, "score": )" + score +
                                         R"(, "position": )" + rest.position + R"(, "mask": )" + rest.mask +
                                         ", " + rest.mask_term + R"(, "normalizer": )" + rest.normalizer +
                                         R"(, "heads": )" + head + "}";
                SCOPED_TRACE(spec);
                const Outcome outcome =
                    run_here({"run", "--spec", place.write("s.json", spec), "--inputs", inputs, "-o", "-"});
                ASSERT_EQ(outcome.status, 0) << outcome.error;
                EXPECT_EQ(outcome.error, "");
                const Trace trace = parse_trace_json(outcome.output);
                EXPECT_EQ(trace.spec, spec_from_json(parse_json(spec)));
                expect_stages(trace, parse_json(spec));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scores, Answers, testing::Combine(testing::Bool(), testing::ValuesIn(scores())));

}  // namespace

}  // namespace headlight::run_answers_test
