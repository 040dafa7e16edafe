// What every host does: trained and spoken alike, traced by the engine as it is, open to those who intervene.

#include "core/model/architecture.h"
#include "core/model/decoding.h"
#include "core/model/generation_trace.h"
#include "tests/support/hosts.h"
#include "tests/support/refusal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headlight::model_hosts_test {

using namespace test;

namespace {

const std::vector<std::vector<Index>> sources{{3, 2, 5, 4, 2}, {4}, {5, 3, 3}};
const std::vector<std::vector<Index>> texts{{0, 2, 6, 3}, {0, 5}, {0, 4, 4}};
const std::vector<std::vector<Index>> labels{{2, 6, 3, 1}, {5, 1}, {4, 4, 1}};

class Hosts : public testing::TestWithParam<HostCase> {
protected:
    std::vector<Index> source(std::size_t i) const {
        return GetParam().has_source ? sources[i] : std::vector<Index>();
    }
    std::vector<Index> text(std::size_t i) const {
        return GetParam().is_classifier ? std::vector<Index>{0} : texts[i];
    }
    Generation said(std::size_t i, std::vector<Intervention> interventions = {}) const {
        Generation generation(*host, weights, source(i));
        generation.set_interventions(std::move(interventions));
        for (const Index token : text(i))
            generation.read(token);
        return generation;
    }
    const std::unique_ptr<Host> host = GetParam().make();
    const std::vector<float> weights = lively_weights(host->layout());
};

double surprise(std::span<const float> logits, Index label) {
    double sum = 0;
    for (const float each : logits)
        sum += std::exp(static_cast<double>(each));
    // What a pointer network cannot say has a price in training (copy_logits).
    return std::log(sum) -
           std::max(std::log(1e-30), static_cast<double>(logits[static_cast<std::size_t>(label)]));
}

// The loss of a batch, every step at once beside longer sequences, is that of each text word by word from a
// cache: teacher forcing is free running on the same words, and padding is not seen.
TEST_P(Hosts, SayAloneWhatTheyLearnTogether) {
    if (GetParam().draws)
        GTEST_SKIP() << "learns from what it draws";
    double expected = 0;
    std::vector<std::vector<Index>> told;
    // Which stream a sequence draws from is its place in the batch: of those that draw only the first.
    const std::size_t count = GetParam().name == "gumbel" ? 1 : sources.size();
    for (std::size_t i = 0; i < count; ++i) {
        told.push_back(GetParam().is_classifier ? std::vector<Index>{labels[i][0]} : labels[i]);
        const Generation generation = said(i);
        for (std::size_t t = 0; t < told[i].size(); ++t)
            expected += surprise(generation.steps()[t].logits, told[i][t]);
    }
    std::vector<std::vector<Index>> read;
    for (std::size_t i = 0; i < count; ++i)
        read.push_back(source(i));
    const Batch batch{side_by_side(read), side_by_side(std::span(texts).first(count)), side_by_side(told)};
    nn::Tape<float> tape(weights);
    EXPECT_NEAR(static_cast<double>(*host->loss(tape, batch, 1, 0).value), expected, 2e-5 * expected);
}

TEST(PointerNetworks, SayNothingButWordsOfTheirSource) {
    RecurrentConfiguration c = small_recurrent(DecoderStyle::luong, ScoreType::additive);
    c.points = true;
    const auto host = make_host(c);
    const std::vector<float> weights = lively_weights(host->layout());
    const std::vector<Index> source{3, 5};
    Generation generation(*host, weights, source);
    const GenerationStep& step = generation.read(0);
    const auto possible = [](Index word) { return word == 1 || word == 3 || word == 5; };
    EXPECT_EQ(candidates(step.logits, 6).size(), 3u);
    for (int draw = 0; draw < 50; ++draw)
        EXPECT_TRUE(possible(choose(step.logits, {.temperature = 30}, draw / 50.0)));
    const BeamTree tree =
        search_beam(*host, weights, source, std::vector<Index>{0}, 1, {.width = 6, .longest = 3});
    for (std::size_t node = 1; node < tree.nodes.size(); ++node)
        EXPECT_TRUE(possible(tree.nodes[node].token));
}

TEST(SetTransformers, SayTheSameOfAnyOrder) {
    TransformerConfiguration c = small_transformer(TransformerKind::encoder, PositionEncoding::learned);
    const auto said = [&c](const std::vector<Index>& source) {
        const auto host = make_host(c);
        const std::vector<float> weights = lively_weights(host->layout());
        Generation generation(*host, weights, source);
        return generation.read(0).logits;
    };
    const auto difference = [&said] {
        const std::vector<float> one = said({3, 2, 5, 4, 2}), other = said({2, 5, 2, 3, 4});
        float largest = 0;
        for (std::size_t i = 0; i < one.size(); ++i)
            largest = std::max(largest, std::abs(one[i] - other[i]));
        return largest;
    };
    EXPECT_GT(difference(), 1e-2f);
    architecture(HostType::set).configure(c);
    EXPECT_LT(difference(), 1e-5f);
}

TEST_P(Hosts, GoBackAndOnAsIfNothingHadBeen) {
    Generation generation = said(0);
    const std::vector<float> last = generation.steps().back().logits;
    generation.keep(1);
    EXPECT_EQ(std::ssize(generation.steps()), 1);
    for (std::size_t t = 1; t < text(0).size(); ++t)
        generation.read(text(0)[t]);
    EXPECT_EQ(generation.steps().back().logits, last);
}

// The engine, given what each site was asked with and its parameters, computes the weights and the context
// that the model went on with.
TEST_P(Hosts, AreTracedAsTheyAre) {
    const Generation generation = said(0);
    GeneratedWords words;
    words.source.resize(generation.source().size(), "s");
    words.read.resize(generation.steps().size(), "r");
    words.said = words.read;
    std::size_t number = 0;
    for (const SiteDescription& site : host->sites()) {
        const auto trace = engine_trace(site, weights, generation, words);
        ASSERT_TRUE(trace) << site.name;
        ++number;
        const Stage *map = trace->find("weights"), *context = trace->find("context");
        ASSERT_TRUE(map && context);
        const Index heads = map->extent(Axis::head), queries = map->extent(Axis::query),
                    keys = map->extent(Axis::key), width = context->size() / (heads * queries);
        Index query = 0;
        const auto compare = [&](const SiteStep& step) {
            const Index rows = step.context.rows();
            for (Index h = 0; h < heads; ++h)
                for (Index i = 0; i < rows; ++i) {
                    const Index at = h * queries + query + i;
                    for (Index j = 0; j < keys; ++j) {
                        const float used = j < step.weights.cols() ? step.weights(h * rows + i, j) : 0.0f;
                        EXPECT_NEAR(trace->values(*map)[static_cast<std::size_t>(at * keys + j)],
                                    static_cast<double>(used), 1e-5)
                            << site.name << " head " << h << " query " << query + i << " key " << j;
                    }
                    for (Index c = 0; c < width; ++c)
                        EXPECT_NEAR(trace->values(*context)[static_cast<std::size_t>(at * width + c)],
                                    static_cast<double>(step.context(i, h * width + c)), 2e-5)
                            << site.name << " head " << h << " query " << query + i;
                }
            query += rows;
        };
        if (site.in_encoder)
            for (const SiteStep& step : generation.encoder_sites())
                if (step.site == site.name)
                    compare(step);
        for (const GenerationStep& step : generation.steps())
            for (const SiteStep& each : step.sites)
                if (each.site == site.name)
                    compare(each);
        EXPECT_EQ(query, queries);
    }
    const Trace whole = generation_trace(*host, weights, generation, words, {});
    EXPECT_EQ(whole.joined_specs.size(), number);
}

TEST_P(Hosts, LookAtTheOnlyWordThereIs) {
    // Normalisers whose rows sum to less leave some of it.
    const std::string& name = GetParam().name;
    if (!GetParam().has_source || name == "sink" || name == "monotonic" || name == "stick_breaking" ||
        name == "local_p" || name == "transformer_monotonic")
        GTEST_SKIP();
    const Generation generation = said(1);
    for (const GenerationStep& step : generation.steps())
        for (const SiteStep& site : step.sites)
            for (const float weight : site.weights.values())
                EXPECT_TRUE(site.site.ends_with("self") || std::abs(weight - 1) < 1e-6f) << weight;
}

TEST_P(Hosts, SayGreedilyWhatABeamOfOneFinds) {
    if (GetParam().is_classifier)
        GTEST_SKIP();
    const std::vector<Index> begin{0};
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::vector<std::vector<Index>> one{source(i)}, given{begin};
        const auto greedy = decode_greedily(*host, weights, side_by_side(one), given, 1, 6).front();
        const BeamTree tree = search_beam(*host, weights, source(i), begin, 1, {.width = 1, .longest = 6});
        std::vector<Index> found = tree.text(tree.best);
        if (!found.empty() && found.back() == 1)
            found.pop_back();
        EXPECT_EQ(found, greedy);
    }
}

TEST_P(Hosts, ChangeWhatTheySayWhenTheirAttentionIsChanged) {
    if (host->sites().back().in_encoder)
        GTEST_SKIP() << "looks before one can intervene";
    const std::string site = host->sites().back().name;
    const Generation alone = said(0);
    const std::vector<float> before = alone.steps().back().logits;
    const auto row = alone.steps().back().sites.back().weights.row(0);
    const Index key = std::ranges::max_element(row) - row.begin();
    for (const auto kind :
         {Intervention::Kind::set_weight, Intervention::Kind::zero_column, Intervention::Kind::mute_head}) {
        const Generation generation = said(0, {{.kind = kind, .site = site, .key = key, .weight = 0.37}});
        const GenerationStep& last = generation.steps().back();
        EXPECT_NE(last.logits, before) << static_cast<int>(kind);
        if (kind == Intervention::Kind::set_weight) {
            EXPECT_FLOAT_EQ(last.sites.back().weights(0, key), 0.37f);
        }
    }
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
TEST_P(Hosts, StepBackForNothing) {
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

TEST_P(Hosts, CutOffWhatNobodyWantsWhereItIs) {
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
TEST_P(Hosts, GoOnInTwoWaysAtOnce) {
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
TEST_P(Hosts, KeepNoMoreOfAStepThanItAdds) {
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

INSTANTIATE_TEST_SUITE_P(All, Hosts, testing::ValuesIn(host_cases()),
                         [](const auto& row) { return row.param.name; });

// Interventions one by one, on a Transformer's last cross attention: two heads, five keys.

class Interventions : public testing::Test {
protected:
    SiteStep last_step(const std::vector<Intervention>& interventions) {
        Generation generation(*host, weights, sources[0]);
        generation.set_interventions(interventions);
        for (const Index token : texts[0])
            generation.read(token);
        return generation.steps().back().sites.back();
    }
    const std::unique_ptr<Host> host =
        make_host(small_transformer(TransformerKind::encoder_decoder, PositionEncoding::sinusoidal));
    const std::vector<float> weights = lively_weights(host->layout());
    const std::string site = "decoder.1.cross";
    const SiteStep before = last_step({});
};

TEST_F(Interventions, SetAWeightAndKeepTheProportionsOfTheOthers) {
    const SiteStep step = last_step(
        {{.kind = Intervention::Kind::set_weight, .site = site, .head = 1, .key = 2, .weight = 0.5}});
    EXPECT_EQ(step.weights(1, 2), 0.5f);
    for (const Index key : {0, 1, 3, 4}) {
        EXPECT_EQ(step.weights(0, key), before.weights(0, key));
        EXPECT_NEAR(step.weights(1, key), before.weights(1, key) * 0.5f / (1 - before.weights(1, 2)), 1e-6);
    }
}

TEST_F(Interventions, ZeroAColumnAndLeaveTheRestAlone) {
    const SiteStep step =
        last_step({{.kind = Intervention::Kind::zero_column, .site = site, .step = 3, .key = 2}});
    for (const Index head : {0, 1})
        for (const Index key : {0, 1, 2, 3, 4})
            EXPECT_EQ(step.weights(head, key), key == 2 ? 0 : before.weights(head, key));
}

TEST_F(Interventions, ZeroAColumnAndRenormaliseTheRow) {
    const SiteStep step = last_step(
        {{.kind = Intervention::Kind::zero_column, .site = site, .step = 3, .key = 2, .renormalizes = true}});
    for (const Index head : {0, 1})
        for (const Index key : {0, 1, 2, 3, 4})
            EXPECT_NEAR(step.weights(head, key),
                        key == 2 ? 0 : before.weights(head, key) / (1 - before.weights(head, 2)), 1e-6);
}

TEST_F(Interventions, ForbidAKeyAndGiveTheOthersItsShare) {
    const SiteStep step = last_step({{.kind = Intervention::Kind::forbid_key, .site = site, .key = 2}});
    // Earlier steps changed too, and with them the scores of this one: only the row's form is known.
    for (const Index head : {0, 1}) {
        float sum = 0;
        for (const Index key : {0, 1, 2, 3, 4})
            sum += step.weights(head, key);
        EXPECT_EQ(step.weights(head, 2), 0);
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    const SiteStep once =
        last_step({{.kind = Intervention::Kind::forbid_key, .site = site, .step = 3, .key = 2}});
    EXPECT_NEAR(once.weights(0, 0), before.weights(0, 0) / (1 - before.weights(0, 2)), 1e-6);
}

TEST_F(Interventions, MakeARowUniform) {
    const SiteStep step =
        last_step({{.kind = Intervention::Kind::uniform_row, .site = site, .head = 0, .step = 3}});
    for (const Index key : {0, 1, 2, 3, 4}) {
        EXPECT_FLOAT_EQ(step.weights(0, key), 0.2f);
        EXPECT_EQ(step.weights(1, key), before.weights(1, key));
    }
}

// Where all weight is on one key, the others have nothing to keep proportions of.
TEST(InterventionsOfHardAttention, ShareAmongTheKeysThatTheWindowAllows) {
    RecurrentConfiguration configuration = small_recurrent(DecoderStyle::luong, ScoreType::additive);
    configuration.normalizer.type = NormalizerType::hard;
    configuration.window = {LocalWindow::Kind::monotonic, 1};
    const auto host = make_host(configuration);
    const std::vector<float> weights = lively_weights(host->layout());
    const auto row_with = [&](const Intervention& intervention) {
        Generation generation(*host, weights, sources[0]);
        generation.set_interventions({intervention});
        generation.read(0);
        const auto row = generation.read(2).sites.front().weights.row(0);
        return std::vector<float>(row.begin(), row.end());
    };
    const std::string site = "decoder.cross";
    const std::vector<float> before = row_with({.site = "none"});
    const Index key = std::ranges::max_element(before) - before.begin();
    ASSERT_LT(key, 3);
    std::vector<float> expected{0.25f, 0.25f, 0.25f, 0, 0};
    expected[static_cast<std::size_t>(key)] = 0.5f;
    EXPECT_EQ(row_with({.site = site, .key = key, .weight = 0.5}), expected);
    const float third = 1.0f / 3;
    EXPECT_EQ(row_with({.kind = Intervention::Kind::uniform_row, .site = site}),
              (std::vector<float>{third, third, third, 0, 0}));
}

// A row as a softmax leaves it where one key has nearly everything: people take that key away, or some of it.
struct NearlyAllOnOneKey {
    const char* name;
    std::vector<float> weights;
    Intervention intervention;
    std::vector<float> expected;
};

void PrintTo(const NearlyAllOnOneKey& row, std::ostream* out) { *out << row.name; }

class InterventionsOnTheLargestKey : public testing::TestWithParam<NearlyAllOnOneKey> {};

TEST_P(InterventionsOnTheLargestKey, KeepTheProportionsOfTheOthers) {
    const auto& [name, weights, intervention, expected] = GetParam();
    nn::Tape<float> tape({});
    const auto row_of = [&](const std::vector<float>& numbers) {
        const nn::Variable<float> row = tape.constant(1, std::ssize(numbers));
        std::ranges::copy(numbers, row.value);
        return row;
    };
    const SiteCall call{"decoder.cross", {.queries = 1, .keys = std::ssize(weights)}};
    Intervening intervening({intervention});
    intervening.scores(call, {}, row_of(std::vector<float>(weights.size())));
    const nn::Variable<float> row = row_of(weights);
    intervening.weights(call, row);
    for (std::size_t key = 0; key < expected.size(); ++key)
        EXPECT_FLOAT_EQ(row.value[key], expected[key]) << key;
}

const Intervention taken_away{
    .kind = Intervention::Kind::zero_column, .site = "decoder.cross", .renormalizes = true};
const Intervention halved{.kind = Intervention::Kind::set_weight, .site = "decoder.cross", .weight = 0.5};

INSTANTIATE_TEST_SUITE_P(
    All, InterventionsOnTheLargestKey,
    testing::Values(NearlyAllOnOneKey{"rounded_away", {1, 3e-9f, 1e-9f}, taken_away, {0, 0.75f, 0.25f}},
                    NearlyAllOnOneKey{
                        "rounded_coarsely", {0.9999997f, 2e-7f, 1e-7f}, taken_away, {0, 2.0f / 3, 1.0f / 3}},
                    NearlyAllOnOneKey{"smallest_numbers", {1, 3e-45f, 0}, taken_away, {0, 1, 0}},
                    NearlyAllOnOneKey{"half_is_left", {1, 3e-9f, 1e-9f}, halved, {0.5f, 0.375f, 0.125f}},
                    NearlyAllOnOneKey{"nothing_else", {1, 0, 0}, taken_away, {0, 0.5f, 0.5f}}),
    [](const auto& row) { return row.param.name; });

TEST_F(Interventions, CopyAHead) {
    const SiteStep step = last_step(
        {{.kind = Intervention::Kind::copy_head, .site = site, .head = 0, .step = 3, .from_head = 1}});
    for (const Index key : {0, 1, 2, 3, 4})
        EXPECT_EQ(step.weights(0, key), before.weights(1, key));
}

TEST_F(Interventions, MuteAHead) {
    const SiteStep step =
        last_step({{.kind = Intervention::Kind::mute_head, .site = site, .head = 1, .step = 3}});
    for (Index c = 0; c < step.context.cols(); ++c)
        EXPECT_EQ(step.context(0, c), c < step.context.cols() / 2 ? before.context(0, c) : 0);
}

TEST_F(Interventions, LeaveOtherSitesAndStepsAlone) {
    for (const Intervention& each :
         {Intervention{.kind = Intervention::Kind::mute_head, .site = "decoder.9.cross"},
          Intervention{.kind = Intervention::Kind::mute_head, .site = site, .step = 7}})
        EXPECT_EQ(last_step({each}).weights, before.weights);
}

// When a decoder asks, and what for (catalogue R2-R4).

TEST(DecoderStyle, DecidesWhetherTheNewWordIsInTheQuery) {
    for (const auto& [style, knows_word] : {std::pair{DecoderStyle::bahdanau, false},
                                            {DecoderStyle::luong, true},
                                            {DecoderStyle::wrapper, true}}) {
        const auto host = make_host(small_recurrent(style, ScoreType::additive));
        const std::vector<float> weights = lively_weights(host->layout());
        const auto query_after = [&](Index token) {
            Generation generation(*host, weights, sources[0]);
            return generation.read(token).sites.front().query;
        };
        EXPECT_EQ(query_after(2) != query_after(3), knows_word) << static_cast<int>(style);
    }
}

TEST(DecoderStyle, TakesTheMeanWhenEveryKeyScoresTheSame) {
    for (const auto style : {DecoderStyle::bahdanau, DecoderStyle::luong, DecoderStyle::wrapper}) {
        const auto host = make_host(small_recurrent(style, ScoreType::additive));
        std::vector<float> weights = lively_weights(host->layout());
        const nn::Weight v = host->layout().find("attention.v");
        std::fill_n(weights.begin() + v.offset, v.size(), 0.0f);
        Generation generation(*host, weights, sources[0]);
        const FloatTensor states = generation.source_states();
        const SiteStep& site = generation.read(0).sites.front();
        for (Index c = 0; c < states.cols(); ++c) {
            float mean = 0;
            for (Index j = 0; j < states.rows(); ++j)
                mean += states(j, c) / static_cast<float>(states.rows());
            EXPECT_NEAR(site.context(0, c), mean, 1e-6);
        }
    }
}

struct Refused {
    std::string name;
    std::function<void()> make;
    std::vector<std::string> parts;
};
void PrintTo(const Refused& each, std::ostream* out) { *out << each.name; }

class RefusedHosts : public testing::TestWithParam<Refused> {};

TEST_P(RefusedHosts, SayWhy) { expect_refusal(GetParam().make, GetParam().parts); }

std::vector<Refused> refused_hosts() {
    const auto recurrent = [](const auto& change) {
        return [change] {
            RecurrentConfiguration c = small_recurrent(DecoderStyle::luong, ScoreType::additive);
            change(c);
            make_host(c);
        };
    };
    const auto transformer = [](const auto& change) {
        return [change] {
            TransformerConfiguration c =
                small_transformer(TransformerKind::encoder_decoder, PositionEncoding::sinusoidal);
            change(c);
            make_host(c);
        };
    };
    return {
        {"dot_of_unequal_widths", recurrent([](auto& c) { c.score.type = ScoreType::dot; }), {"6", "12"}},
        {"selective_recurrent",
         recurrent([](auto& c) {
             c.score.type = ScoreType::selective;
             c.bidirectional = false;
         }),
         {"score", "selective"}},
        {"slot_recurrent", recurrent([](auto& c) { c.normalizer.type = NormalizerType::slot; }), {"slot"}},
        {"sinkhorn_transformer",
         transformer([](auto& c) { c.normalizer.type = NormalizerType::sinkhorn; }),
         {"sinkhorn"}},
        {"selective_decoder",
         transformer([](auto& c) { c.score.type = ScoreType::selective; }),
         {"selective"}},
        {"coverage_transformer",
         transformer([](auto& c) { c.score.type = ScoreType::coverage; }),
         {"coverage"}},
        {"heads", transformer([](auto& c) { c.heads = 3; }), {"heads", "3"}},
        {"window",
         recurrent([](auto& c) {
             c.window = {LocalWindow::Kind::monotonic, 0};
         }),
         {"radius", "0"}},
        {"copied_as",
         recurrent([](auto& c) {
             c.copies = true;
             c.copied_as = {1, 2};
         }),
         {"copied_as", "6", "2"}},
        {"mechanism_with_a_mask",
         recurrent([](auto& c) { c.mechanism.emplace().mask.rule = CausalMask{}; }),
         {"attend to a source", "mask"}},
        {"mechanism_that_counts_queries",
         recurrent([](auto& c) { c.mechanism.emplace().position.type = PositionType::sinusoidal; }),
         {"step by step", "the place of the first", "sinusoidal"}},
        {"mechanism_that_draws_for_each_query",
         recurrent([](auto& c) { c.mechanism.emplace().normalizer.type = NormalizerType::gumbel; }),
         {"asked one at a time", "asked alone"}},
        {"mechanism_that_remembers",
         recurrent([](auto& c) { c.mechanism.emplace().score.type = ScoreType::coverage; }),
         {"the weights of the step before", "coverage"}},
        {"mechanism_that_balances_queries",
         recurrent([](auto& c) { c.mechanism.emplace().normalizer.type = NormalizerType::sinkhorn; }),
         {"from its own scores", "sinkhorn"}},
        {"mechanism_that_copies",
         recurrent([](auto& c) {
             c.mechanism.emplace();
             c.copies = true;
         }),
         {"copies", "no gradient"}},
        {"mechanism_with_coverage_loss",
         recurrent([](auto& c) {
             c.mechanism.emplace();
             c.coverage_loss = 1;
         }),
         {"coverage_loss", "no gradient"}},
        {"too_long_for_a_mechanism",
         [] {
             RecurrentConfiguration c = small_recurrent(DecoderStyle::luong, ScoreType::additive);
             c.mechanism.emplace();
             const auto host = make_host(c);
             const std::vector<float> weights = lively_weights(host->layout());
             Generation(*host, weights, std::vector<Index>(11, 2));
         },
         {"keys", "10", "11"}},
        {"too_long",
         [] {
             const auto host = make_host(small_recurrent(DecoderStyle::luong, ScoreType::location));
             const std::vector<float> weights = lively_weights(host->layout());
             Generation(*host, weights, std::vector<Index>(11, 2));
         },
         {"keys", "10", "11"}},
    };
}

INSTANTIATE_TEST_SUITE_P(All, RefusedHosts, testing::ValuesIn(refused_hosts()),
                         [](const auto& row) { return row.param.name; });

}  // namespace

}  // namespace headlight::model_hosts_test
