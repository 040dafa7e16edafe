// What a model computes is what its trace shows: every score, vector norm, normaliser and place encoding that
// a host can have, with 2, 3 and 4 heads and weights that are not those that a training begins with. Whatever
// is added to the lists of words is tried as well.

#include "core/attention/spec_words.h"
#include "core/model/generation_trace.h"
#include "core/model/model_words.h"
#include "core/tensor/error.h"
#include "tests/support/hosts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace headlight::model_stages_test {

using namespace test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<Index> source{3, 2, 5, 4, 2}, read{0, 2, 6, 3};

/// Whether they are close enough for what float and double make of one formula. Without a normaliser a
/// context is a sum of numbers that are several times as large as it: a level of the processor was 2.02e-5
/// off.
bool are_alike(double a, double b) {
    return a == b || std::abs(a - b) <= 3e-5 * std::max({1.0, std::abs(a), std::abs(b)});
}

/// A stage of one run as [head, row, column]; a stage without heads has one.
class Numbers {
public:
    Numbers(const Trace& trace, std::string_view name) : stage_(trace.find(name)) {
        if (!stage_)
            return;
        values_ = trace.values(*stage_);
        heads = stage_->has_axis(Axis::head) ? stage_->extent(Axis::head) : 1;
        const Index size = stage_->size() / heads;
        rows = stage_->shape[stage_->has_axis(Axis::head) ? 1 : 0];
        columns = size / rows;
    }
    explicit operator bool() const { return stage_ != nullptr; }
    double operator()(Index head, Index row, Index column = 0) const {
        return values_[static_cast<std::size_t>((head * rows + row) * columns + column)];
    }

    Index heads = 0, rows = 0, columns = 0;

private:
    const Stage* stage_;
    std::span<const double> values_;
};

/// One site of one host: what it used, and the trace of it.
struct Walked {
    const SiteDescription& site;
    const std::vector<const SiteStep*> steps;
    const Trace& trace;
    std::span<const float> weights;

    /// Says where a stage differs from what the host used, or from what follows from other stages; empty
    /// where none does.
    std::string difference() const {
        for (const auto& differs : {used(), sums(), mixed(), finished()})
            if (!differs.empty())
                return site.name + ": " + differs;
        return {};
    }

private:
    static std::string at(const char* stage, Index head, Index row, Index column, double traced,
                          double expected) {
        return std::string(stage) + " of head " + std::to_string(head) + ", row " + std::to_string(row) +
               ", column " + std::to_string(column) + ": traced " + std::to_string(traced) + ", expected " +
               std::to_string(expected);
    }
    /// The first cell of a stage that is not what `expected`(head, row, column) says.
    template <class Expected>
    std::string first_difference(const char* name, const Expected& expected) const {
        const Numbers stage(trace, name);
        for (Index head = 0; head < stage.heads; ++head)
            for (Index row = 0; row < stage.rows; ++row)
                for (Index column = 0; column < stage.columns; ++column)
                    if (const double told = expected(head, row, column);
                        !are_alike(stage(head, row, column), told))
                        return at(name, head, row, column, stage(head, row, column), told);
        return {};
    }

    /// Masked scores, weights and context as the model had them. A decoder's step knows no later keys.
    std::string used() const {
        Index first = 0;
        for (const SiteStep* step : steps) {
            const Index rows = step->context.rows(), heads = step->heads;
            const Numbers scores(trace, "masked_scores"), map(trace, "weights"), context(trace, "context");
            for (Index head = 0; head < heads; ++head)
                for (Index row = 0; row < rows; ++row) {
                    for (Index key = 0; key < map.columns; ++key) {
                        const bool is_known = key < step->weights.cols();
                        const double score =
                            is_known ? static_cast<double>(step->scores(head * rows + row, key)) : -infinity;
                        if (!are_alike(scores(head, first + row, key), score))
                            return at("masked_scores", head, first + row, key, scores(head, first + row, key),
                                      score);
                        const double weight =
                            is_known ? static_cast<double>(step->weights(head * rows + row, key)) : 0;
                        if (!are_alike(map(head, first + row, key), weight))
                            return at("weights", head, first + row, key, map(head, first + row, key), weight);
                    }
                    for (Index c = 0; c < context.columns; ++c)
                        if (const auto expected =
                                static_cast<double>(step->context(row, head * context.columns + c));
                            !are_alike(context(head, first + row, c), expected))
                            return at("context", head, first + row, c, context(head, first + row, c),
                                      expected);
                }
            first += rows;
        }
        return first == Numbers(trace, "weights").rows ? "" : "other rows than those that were asked for";
    }
    /// From scaled scores to the row's exponentials.
    std::string sums() const {
        const Numbers scaled(trace, "scaled_scores"), bias(trace, "position_bias"),
            biased(trace, "biased_scores"), masked(trace, "masked_scores"), powers(trace, "exponentials"),
            sum(trace, "row_sum"), largest(trace, "row_maximum"), map(trace, "weights");
        if (biased && bias && scaled)
            if (auto differs = first_difference("biased_scores",
                                                [&](Index head, Index row, Index key) {
                                                    return scaled(head, row, key) + bias(head, row, key);
                                                });
                !differs.empty())
                return differs;
        const Numbers& last = biased ? biased : scaled;
        if (last && masked)
            if (auto differs = first_difference("masked_scores",
                                                [&](Index head, Index row, Index key) {
                                                    return std::isinf(masked(head, row, key))
                                                               ? -infinity
                                                               : last(head, row, key);
                                                });
                !differs.empty())
                return differs;
        if (site.spec.normalizer.type != NormalizerType::softmax ||
            site.spec.selection.type != SelectionType::none)
            return {};
        for (Index head = 0; head < map.heads; ++head)
            for (Index row = 0; row < map.rows; ++row) {
                double total = 0;
                for (Index key = 0; key < map.columns; ++key)
                    total += powers(head, row, key);
                if (!are_alike(sum(head, row), total))
                    return at("row_sum", head, row, 0, sum(head, row), total);
            }
        if (auto differs =
                first_difference("exponentials",
                                 [&](Index head, Index row, Index key) {
                                     return std::isinf(masked(head, row, key))
                                                ? 0
                                                : std::exp(masked(head, row, key) - largest(head, row));
                                 });
            !differs.empty() && site.spec.normalizer.temperature == 1)
            return differs;
        return first_difference("weights", [&](Index head, Index row, Index key) {
            if (is_set_by_hand(head, row))
                return map(head, row, key);
            return sum(head, row) == 0 ? 0 : powers(head, row, key) / sum(head, row);
        });
    }
    bool is_set_by_hand(Index head, Index row) const {
        return std::ranges::any_of(trace.by_hand, [&](const ChangedByHand& each) {
            return each.is_at("", "weights", head, row, each.key.value_or(0));
        });
    }
    std::string mixed() const {
        const Numbers map(trace, "weights"), value(trace, "value");
        if (value.rows != map.columns)
            return {};
        const auto sum = [&](Index head, Index row, Index column) {
            double total = 0;
            for (Index key = 0; key < map.columns; ++key)
                total += map(head, row, key) * value(head, key, column);
            return total;
        };
        return first_difference("context", sum);
    }
    std::string finished() const {
        const Numbers context(trace, "context"), joined(trace, "concatenation");
        if (!joined)
            return {};
        if (auto differs = first_difference("concatenation",
                                            [&](Index, Index row, Index column) {
                                                return context(column / context.columns, row,
                                                               column % context.columns);
                                            });
            !differs.empty())
            return differs;
        const nn::Weight *matrix = nullptr, *bias = nullptr;
        for (const auto& [name, weight] : site.parameters) {
            if (name == "W_o")
                matrix = &weight;
            if (name == "b_o")
                bias = &weight;
        }
        if (!matrix || !bias)
            return {};
        return first_difference("output", [&](Index, Index row, Index column) {
            double total = static_cast<double>(weights[static_cast<std::size_t>(bias->offset + column)]);
            for (Index i = 0; i < matrix->rows; ++i)
                total +=
                    joined(0, row, i) *
                    static_cast<double>(
                        weights[static_cast<std::size_t>(matrix->offset + i * matrix->columns + column)]);
            return total;
        });
    }
};

GeneratedWords words_of(const Generation& generation) {
    GeneratedWords words;
    words.source.resize(generation.source().size(), "s");
    words.read.resize(generation.steps().size(), "r");
    words.said = words.read;
    return words;
}

/// What differs between the trace of a host and what it used; nothing where nothing does.
std::string difference_of(const Host& host, TransformerKind kind) {
    const std::vector<float> weights = lively_weights(host.layout());
    Generation generation(host, weights, kind == TransformerKind::decoder ? std::vector<Index>() : source);
    for (const Index token : kind == TransformerKind::encoder ? std::vector<Index>{0} : read)
        generation.read(token);
    for (const SiteDescription& site : host.sites()) {
        const auto trace = engine_trace(site, weights, generation, words_of(generation));
        if (!trace)
            return site.name + " was not asked";
        if (std::string differs = Walked{site, steps_of(site, generation), *trace, weights}.difference();
            !differs.empty())
            return differs;
    }
    return {};
}

/// A score, a vector norm or a normaliser in the place of the standard one.
struct Component {
    std::string name;
    std::function<void(Score&, Normalizer&)> choose;
    bool needs_all_queries = false;  ///< no host asks for all of them at once
};
void PrintTo(const Component& each, std::ostream* out) { *out << each.name; }

std::vector<Component> all_components() {
    std::vector<Component> all;
    for (const Word<ScoreType>& word : words<ScoreType>())
        if (nn::stands_alone(Score{.type = word.value}))
            all.push_back({"score_" + std::string(word.word),
                           [type = word.value](Score& score, Normalizer&) { score.type = type; }});
    for (const Word<VectorNorm>& word : words<VectorNorm>())
        all.push_back({"norm_" + std::string(word.word),
                       [norm = word.value](Score& score, Normalizer&) { score.vector_norm = norm; }});
    all.push_back({"softcap", [](Score& score, Normalizer&) { score.softcap = 0.7; }});
    for (const Word<NormalizerType>& word : words<NormalizerType>()) {
        if (!nn::stands_alone(Normalizer{.type = word.value}))
            continue;
        const auto choose = [type = word.value](Score&, Normalizer& normalizer) { normalizer.type = type; };
        all.push_back({"normalizer_" + std::string(word.word), choose,
                       nn::couples_queries(Normalizer{.type = word.value})});
    }
    return all;
}

class EveryComponent : public testing::TestWithParam<Component> {};

TEST_P(EveryComponent, IsTracedAsTransformersUseIt) {
    Index hosts = 0;
    for (const TransformerKind kind :
         {TransformerKind::encoder_decoder, TransformerKind::decoder, TransformerKind::encoder})
        for (const Word<PositionEncoding>& places : words<PositionEncoding>())
            for (const Index heads : {2, 3, 4}) {
                TransformerConfiguration configuration = small_transformer(kind, places.value);
                configuration.heads = heads;
                configuration.width = 4 * heads;
                configuration.encoder = configuration.decoder = std::vector<LayerSpec>(1);
                GetParam().choose(configuration.score, configuration.normalizer);
                std::unique_ptr<Host> host;
                try {
                    host = make_host(configuration);
                } catch (const Error&) {
                    continue;  // not for this host
                }
                ++hosts;
                EXPECT_EQ(difference_of(*host, kind), "")
                    << places.word << ", " << heads << " heads, kind " << static_cast<int>(kind);
            }
    const bool remembers = nn::remembers([] {
        Score score;
        Normalizer normalizer;
        GetParam().choose(score, normalizer);
        return score;
    }());
    EXPECT_EQ(hosts > 0, !GetParam().needs_all_queries && !remembers);
}

TEST_P(EveryComponent, IsTracedAsRecurrentModelsUseIt) {
    for (const DecoderStyle style : {DecoderStyle::bahdanau, DecoderStyle::luong, DecoderStyle::wrapper})
        for (const bool is_bidirectional : {false, true}) {
            RecurrentConfiguration configuration = small_recurrent(style, ScoreType::additive);
            configuration.bidirectional = is_bidirectional;
            Normalizer normalizer;
            Score score = configuration.score;
            GetParam().choose(score, normalizer);
            configuration.score = score;
            configuration.normalizer = normalizer;
            std::unique_ptr<Host> host;
            try {
                host = make_host(configuration);
            } catch (const Error&) {
                continue;
            }
            EXPECT_EQ(difference_of(*host, TransformerKind::encoder_decoder), "")
                << static_cast<int>(style) << (is_bidirectional ? ", both directions" : "");
        }
}

INSTANTIATE_TEST_SUITE_P(All, EveryComponent, testing::ValuesIn(all_components()),
                         [](const auto& row) { return row.param.name; });

// After an intervention every stage follows from what the model went on with, and what was set is marked.

class EveryHost : public testing::TestWithParam<HostCase> {};

TEST_P(EveryHost, IsTracedAsItWentOnAfterAnIntervention) {
    const std::unique_ptr<Host> host = GetParam().make();
    if (host->sites().back().in_encoder)
        GTEST_SKIP() << "looks before one can intervene";
    const std::vector<float> weights = lively_weights(host->layout());
    using Kind = Intervention::Kind;
    for (const SiteDescription& changed : host->sites()) {
        if (changed.in_encoder)
            continue;
        const std::string& site = changed.name;
        for (const Intervention& each :
             {Intervention{.kind = Kind::set_weight, .site = site, .step = 2, .key = 1, .weight = 0.9},
              Intervention{.kind = Kind::zero_column, .site = site, .key = 1},
              Intervention{.kind = Kind::zero_column, .site = site, .key = 1, .renormalizes = true},
              Intervention{.kind = Kind::forbid_key, .site = site, .key = 0},
              Intervention{.kind = Kind::uniform_row, .site = site, .step = 1},
              Intervention{.kind = Kind::copy_head, .site = site, .head = 0, .from_head = 1},
              Intervention{.kind = Kind::mute_head, .site = site, .head = 0, .step = 3}}) {
            Generation generation(*host, weights, GetParam().has_source ? source : std::vector<Index>());
            generation.set_interventions({each});
            for (const Index token : GetParam().is_classifier ? std::vector<Index>{0} : read)
                generation.read(token);
            Index marks = 0;
            for (const SiteRecord& record : site_records(*host, weights, generation, words_of(generation))) {
                const auto steps = steps_of(record.site, generation);
                EXPECT_EQ((Walked{record.site, steps, *record.trace, weights}.difference()), "")
                    << "after kind " << static_cast<int>(each.kind) << " at " << site;
                marks += std::ssize(record.trace->by_hand);
                for (const ChangedByHand& change : record.trace->by_hand) {
                    EXPECT_EQ(record.site.name, site);
                    EXPECT_EQ(change.stage, each.kind == Kind::forbid_key ? "masked_scores" : "weights");
                    EXPECT_EQ(change.head, each.head);
                    EXPECT_EQ(change.query, each.step);
                    EXPECT_FALSE(change.words.empty());
                }
            }
            EXPECT_EQ(marks, 1);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryHost, testing::ValuesIn(host_cases()),
                         [](const auto& row) { return row.param.name; });

}  // namespace

}  // namespace headlight::model_stages_test
