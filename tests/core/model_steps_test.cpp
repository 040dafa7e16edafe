// What every host keeps of the steps that it has taken: to go back computes nothing and moves nothing, two
// texts go on from one step, and a step costs what it adds.

#include "tests/support/told_hosts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headlight::model_steps_test {

using namespace test;

namespace {

class HostSteps : public ToldHost {};

TEST_P(HostSteps, GoBackAndOnAsIfNothingHadBeen) {
    Generation generation = said(0);
    const std::vector<float> last = generation.steps().back().logits;
    generation.keep(1);
    EXPECT_EQ(std::ssize(generation.steps()), 1);
    for (std::size_t t = 1; t < text(0).size(); ++t)
        generation.read(text(0)[t]);
    EXPECT_EQ(generation.steps().back().logits, last);
}

/// A host that counts the steps that are computed.
class CountingHost : public Host {
public:
    explicit CountingHost(const Host& host) : host_(host) {}
    const nn::ParameterLayout& layout() const override { return host_.layout(); }
    std::vector<SiteDescription> sites() const override { return host_.sites(); }
    MostTokens most_tokens() const override { return host_.most_tokens(); }
    Index numbers_of_step() const override { return host_.numbers_of_step(); }
    nn::Variable<float> loss(nn::Tape<float>& tape, const Batch& batch, float divisor,
                             std::uint64_t stream) const override {
        return host_.loss(tape, batch, divisor, stream);
    }
    std::unique_ptr<Decoding> read(std::span<const float> weights, const Sequences& source,
                                   Hook<float>* hook) const override {
        return std::make_unique<Counting>(host_.read(weights, source, hook), steps_);
    }
    int steps() const { return steps_; }

private:
    class Counting : public Decoding {
    public:
        Counting(std::unique_ptr<Decoding> decoding, int& steps)
            : decoding_(std::move(decoding)), steps_(steps) {}
        FloatTensor source_states() const override { return decoding_->source_states(); }
        DecodingState start() const override { return decoding_->start(); }
        FloatTensor next(DecodingState& state, std::span<const Index> tokens, Hook<float>* hook) override {
            ++steps_;
            return decoding_->next(state, tokens, hook);
        }

    private:
        std::unique_ptr<Decoding> decoding_;
        int& steps_;
    };

    const Host& host_;
    mutable int steps_ = 0;
};

/// Where the first layer's keys are; null where nothing is looked back at.
const float* first_keys(const DecodingState& state) {
    return state.memory && !state.memory->layers.empty() ? state.memory->layers[0].key.all().value : nullptr;
}

// To step back is to have fewer rows: nothing is computed, nothing is moved, and what follows costs its own
// steps and no others.
TEST_P(HostSteps, StepBackForNothing) {
    if (GetParam().is_classifier)
        GTEST_SKIP() << "says one label";
    const CountingHost counting(*host);
    Generation generation(counting, weights, source(0));
    for (const Index token : text(0))
        generation.read(token);
    const auto count = std::ssize(text(0));
    EXPECT_EQ(counting.steps(), count);
    const std::vector<GenerationStep> first(generation.steps().begin(), generation.steps().end());
    std::vector<std::vector<float>> said;
    for (const GenerationStep& step : first)
        said.push_back(step.logits);
    for (Index left = count - 1; left >= 1; --left) {
        generation.keep(left);
        EXPECT_EQ(counting.steps(), count);
        EXPECT_EQ(generation.steps().back().logits, said[static_cast<std::size_t>(left - 1)]);
    }
    for (Index step = 1; step < count; ++step) {
        EXPECT_EQ(generation.read(text(0)[static_cast<std::size_t>(step)]).logits,
                  said[static_cast<std::size_t>(step)]);
        EXPECT_EQ(counting.steps(), count + step);
    }
    // The steps that `first` has kept are still what they were, and so have rows of their own.
    if (const DecodingState& kept = first.back().after; kept.memory) {
        EXPECT_NE(kept.memory, generation.steps().back().after.memory);
        EXPECT_EQ(kept.memory->steps(), count);
    }
}

TEST_P(HostSteps, CutOffWhatNobodyWantsWhereItIs) {
    if (GetParam().is_classifier)
        GTEST_SKIP() << "says one label";
    Generation generation = said(0);
    const DecodingState& newest = generation.steps().back().after;
    if (!newest.memory)
        GTEST_SKIP() << "remembers nothing but its newest step";
    const TextCache* cache = newest.memory.get();
    const float* keys = first_keys(newest);
    generation.keep(1);
    generation.read(text(0)[2]);
    const DecodingState& other = generation.steps().back().after;
    EXPECT_EQ(other.memory.get(), cache);
    EXPECT_EQ(other.memory->steps(), 2);
    EXPECT_EQ(first_keys(other), keys) << "the first step's rows were not copied";
}

// Two texts that part after two words, told in turns, each as if it were alone.
TEST_P(HostSteps, GoOnInTwoWaysAtOnce) {
    if (GetParam().is_classifier)
        GTEST_SKIP() << "says one label";
    const std::vector<std::vector<Index>> source_of{source(0)};
    const auto decoding = host->read(weights, side_by_side(source_of), nullptr);
    const auto next = [&](DecodingState& state, Index token) {
        const FloatTensor logits = decoding->next(state, std::span(&token, 1), nullptr);
        return std::vector<float>(logits.values().begin(), logits.values().end());
    };
    const auto alone = [&](const std::vector<Index>& words) {
        DecodingState state = decoding->start();
        std::vector<float> last;
        for (const Index word : words)
            last = next(state, word);
        return last;
    };
    const std::vector<float> one_way = alone({0, 2, 6, 3, 4}), other_way = alone({0, 2, 3, 6, 2});
    DecodingState one = decoding->start();
    next(one, 0);
    next(one, 2);
    DecodingState other = one;
    next(one, 6);
    next(other, 3);
    next(one, 3);
    next(other, 6);
    EXPECT_EQ(next(one, 4), one_way);
    EXPECT_EQ(next(other, 2), other_way);
}

/// Numbers of all that a text's states look back at.
std::size_t numbers_of(TextCache& cache) {
    Index numbers = 0;
    for (LayerCache<float>& layer : cache.layers)
        for (Cache<float>* each : {&layer.key, &layer.value, &layer.asked})
            numbers += each->all().size();
    return static_cast<std::size_t>(numbers);
}

// The steps of a text are all kept: where each had the keys and values of those before it once more, a text
// of 512 tokens would take gigabytes.
TEST_P(HostSteps, KeepNoMoreOfAStepThanItAdds) {
    if (GetParam().is_classifier)
        GTEST_SKIP() << "says one label";
    Generation generation(*host, weights, source(0));
    const Index most_keys = std::max<Index>(std::ssize(source(0)), 5);
    for (Index step = 0; step < 5; ++step)
        generation.read(step == 0 ? 0 : 2);
    // Beside what is counted a few numbers for each key: where a query stopped, what has been looked at.
    const auto most = static_cast<std::size_t>(host->numbers_of_step() + 8 * 4 * most_keys) * sizeof(float);
    const std::shared_ptr<TextCache>& shared = generation.steps().front().after.memory;
    const std::size_t added = shared ? numbers_of(*shared) / generation.steps().size() : 0;
    for (const GenerationStep& step : generation.steps()) {
        EXPECT_EQ(step.after.memory, shared);
        std::size_t own = added;
        for (const FloatTensor& part : step.after.parts)
            own += part.values().size();
        EXPECT_LE(own * sizeof(float), most);
    }
}

INSTANTIATE_TEST_SUITE_P(All, HostSteps, testing::ValuesIn(host_cases()),
                         [](const auto& row) { return row.param.name; });

}  // namespace

}  // namespace headlight::model_steps_test
