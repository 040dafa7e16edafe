// Every mechanism of the catalogue as the attention of a small recurrent model, which asks one query a step:
// it learns, and its trace is what each step saw. Those that cannot be asked so say why.

#include "core/model/recurrent_model.h"
#include "core/tensor/error.h"
#include "tests/support/trained_models.h"

namespace headlight::trained_recurrent_test { namespace {

using namespace trained_models;

/// Those of which each query knows its answer by itself, and those of which it cannot; what the others are is
/// decided by their numbers.
const std::vector<std::string> asked_one_at_a_time{
    "multi_head",       "multi_query", "grouped_query",   "gated",   "headwise_gate",
    "self_attention",   "cross",       "additive",        "general", "sparsemax",
    "entmax",           "softcap",     "inducing_points", "coda",    "persistent_memory",
    "bilinear_pooling", "linear_chain"};
const std::vector<std::string> never_asked_one_at_a_time{"causal",
                                                         "window",
                                                         "cross_covariance",
                                                         "local_m",
                                                         "rope",
                                                         "agent",
                                                         "sinkhorn",
                                                         "slot",
                                                         "coverage",
                                                         "location_aware",
                                                         "mocha",
                                                         "simam",
                                                         "external_memory",
                                                         "path",
                                                         "squeeze_excitation",
                                                         "hard",
                                                         "monotonic",
                                                         "dual_softmax",
                                                         "dustbin",
                                                         "informer",
                                                         "dependency_trees",
                                                         "forward_attention",
                                                         "gaussian_window",
                                                         "dynamic_convolution"};

/// A recurrent model with the mechanism; the reason where there can be none.
struct FittingRecurrent {
    std::unique_ptr<RecurrentModel> model;
    std::string refusal;
};

FittingRecurrent fitting_recurrent(const Mechanism& mechanism) {
    RecurrentConfiguration c;
    c.source_vocabulary = c.target_vocabulary = vocabulary;
    c.embedding = 4;
    c.width = width;
    c.longest = longest;
    c.mechanism = spec_of(mechanism);
    FittingRecurrent fitting;
    for (const bool bidirectional : {true, false}) {
        c.bidirectional = bidirectional;
        c.style = bidirectional ? DecoderStyle::luong : DecoderStyle::bahdanau;
        try {
            fitting.model = std::make_unique<RecurrentModel>(c);
            return fitting;
        } catch (const Error& error) {
            fitting.refusal += (fitting.refusal.empty() ? "" : " | ") + std::string(error.what());
        }
    }
    return fitting;
}

class RecurrentMechanism : public testing::TestWithParam<const Mechanism*> {
protected:
    void SetUp() override {
        fitting = fitting_recurrent(*GetParam());
        if (is_in(asked_one_at_a_time, *GetParam())) {
            ASSERT_TRUE(fitting.model) << fitting.refusal;
        }
        if (is_in(never_asked_one_at_a_time, *GetParam())) {
            ASSERT_FALSE(fitting.model);
        }
        if (!fitting.model) {
            EXPECT_NE(fitting.refusal.find("expected "), std::string::npos) << fitting.refusal;
            GTEST_SKIP() << GetParam()->id << " is not asked one at a time: " << fitting.refusal;
        }
    }
    FittingRecurrent fitting;
};

TEST_P(RecurrentMechanism, LearnsInARecurrentModel) {
    const RecurrentModel& model = *fitting.model;
    const Batch batch = small_batch();
    std::vector<float> weights = model.layout().initial_values<float>(1), gradient(weights.size());
    nn::Adam<float> adam(std::ssize(weights), {});
    nn::Tape<float> tape(weights, gradient);
    std::vector<float> losses;
    for (int step = 0; step <= 2; ++step) {
        tape.clear();
        std::ranges::fill(gradient, 0.0f);
        const nn::Variable<float> loss = model.loss(tape, batch, 18.0f);
        losses.push_back(*loss.value);
        tape.backward(loss);
        ASSERT_TRUE(std::isfinite(losses.back())) << "step " << step;
        bool has_parameters = false, learns_one = false;
        for (const auto& entry : model.layout().entries())
            if (entry.name.starts_with("attention.")) {
                has_parameters = true;
                const auto of = std::span(gradient).subspan(static_cast<std::size_t>(entry.weight.offset),
                                                            static_cast<std::size_t>(entry.weight.size()));
                learns_one = learns_one || std::ranges::any_of(of, [](float each) { return each != 0; });
            }
        if (step == 0 || GetParam()->id != "rela") {  // whose rows may be zeros once it has learned
            EXPECT_EQ(has_parameters, learns_one);
        }
        adam.step(weights, gradient, 0.01);
    }
    EXPECT_LT(losses.back(), losses.front());
}

// Row t of the trace of a site, which the engine computes of all steps together, is what step t saw.
TEST_P(RecurrentMechanism, IsTracedAsItWasAsked) {
    const ReadModel reading(fitting.model->configuration(), source_tokens);
    const std::vector<SiteRecord> records = reading.records();
    ASSERT_EQ(records.size(), 1u);
    const SiteRecord& record = records.front();
    EXPECT_TRUE(record.site.is_program && record.site.looks_at_source);
    EXPECT_EQ(record.plan->queries, std::ssize(read_tokens));
    const auto steps = steps_of(record.site, reading.generation);
    ASSERT_EQ(steps.size(), read_tokens.size());
    const Stage* stage = record.trace->find("weights");
    const Index maps = steps.front()->heads, rows = std::ssize(read_tokens), keys = std::ssize(source_tokens);
    if (!stage || stage->size() != maps * rows * keys || steps.front()->weights.size() == 0)
        GTEST_SKIP() << GetParam()->id << " has no map of its own";
    const auto traced = record.trace->values(*stage);
    for (Index row = 0; row < rows; ++row)
        for (Index head = 0; head < maps; ++head)
            for (Index key = 0; key < keys; ++key)
                EXPECT_NEAR(steps[static_cast<std::size_t>(row)]->weights(head, key),
                            traced[static_cast<std::size_t>((head * rows + row) * keys + key)], 1e-5)
                    << "step " << row << ", head " << head << ", key " << key;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RecurrentMechanism, testing::ValuesIn(all_mechanisms()),
                         [](const auto& row) { return std::string(row.param->id); });

}}  // namespace headlight::trained_recurrent_test
