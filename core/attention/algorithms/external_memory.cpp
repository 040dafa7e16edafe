#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/normalizers/column_sums.h"
#include "core/attention/refusals.h"
#include "core/attention/softmax_rows.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

Index slots_of(const Plan& plan) { return plan.algorithm().count("slots"); }

/// Each slot shares itself out over the tokens by a softmax, then each token's shares are divided by their
/// sum (Guo et al. 2021, equations 5 and 6). The shares are kept as logarithms: a token that every slot
/// passes over has no shares to divide.
template <class Real>
class MemoryHead {
public:
    MemoryHead(const Plan& plan, const Real* keys, const Real* values, const HeadTask<Real>& task,
               const Recorder& record)
        : plan_(plan), memory_keys_(keys), memory_values_(values), task_(task), record_(record),
          slots_(slots_of(plan)), scores_(static_cast<std::size_t>(plan.queries * slots_)) {}

    void run() {
        const Index n = plan_.queries, d = plan_.head_query_width();
        const auto& by = rows_.arithmetic();
        for (Index i = 0; i < n; ++i) {
            Interruption::check();
            by.inner_products(task_.query.row(i), row_major(memory_keys_, slots_, d), 1, score(i));
        }
        record_.write("slot_scores", task_.head * n * slots_, scores_.data(), n * slots_);
        to_log_shares();
        shares_.resize(scores_.size());
        by.exponential(scores_.data(), n * slots_, shares_.data());
        record_.write("slot_shares", task_.head * n * slots_, shares_.data(), n * slots_);
        for (Index i = 0; i < n; ++i)
            rows_.softmax(score(i), slots_);
        record_.write("slot_weights", task_.head * n * slots_, scores_.data(), n * slots_);
        for (Index i = 0; i < n; ++i) {
            Interruption::check();
            rows_.mix(score(i), row_major(memory_values_, slots_, plan_.head_value_width()),
                      task_.context.row(i));
        }
        if (task_.wants_weights())
            link_tokens();
    }

private:
    Real* score(Index i) { return scores_.data() + i * slots_; }

    /// The scores of each slot become the logarithms of its softmax over all tokens.
    void to_log_shares() {
        std::vector<Real> largest(static_cast<std::size_t>(slots_)), above(largest);
        column_log_sums<Real>(scores_.data(), plan_.queries, slots_, nullptr, largest.data(), above.data(),
                              rows_.kernels());
        for (Index i = 0; i < plan_.queries; ++i) {
            Interruption::check();
            for (Index slot = 0; slot < slots_; ++slot) {
                const auto at = static_cast<std::size_t>(slot);
                score(i)[slot] = (score(i)[slot] - largest[at]) - above[at];
            }
        }
    }

    /// How much of what i reads comes from slots that j shares in. Each row sums to 1, for each slot's shares
    /// do.
    void link_tokens() {
        const auto& by = rows_.arithmetic();
        for (Index i = 0; i < plan_.queries; ++i) {
            Interruption::check();
            by.inner_products(score(i), row_major<const Real>(shares_.data(), plan_.keys, slots_), 1,
                              task_.weights.row(i));
        }
    }

    const Plan& plan_;
    const Real* memory_keys_;
    const Real* memory_values_;
    const HeadTask<Real>& task_;
    const Recorder& record_;
    SoftmaxRows<Real> rows_;
    Index slots_;
    std::vector<Real> scores_;  ///< [n, slots], in place to the weights
    std::vector<Real> shares_;  ///< [n, slots]
};

void check_external_memory(const Plan& plan) {
    const std::string what = "external_memory algorithm";
    require_one_sequence(plan, what, "the memory stands in for the second sequence");
    refuse_mask(plan, what, "tokens never look at tokens, only at slots");
    refuse_shared_heads(plan, what);
}

Expression define_external_memory(Composer& composer) {
    const Expression scores =
        composer.let("slot_scores", product_transposed(composer.query, composer.parameter("M_k")));
    const Expression exponentials =
        composer.let("slot_exponentials", exp_of(scores - maximum_of_rows(scores)));
    const Expression shares =
        composer.let("slot_shares", exponentials / sum_of_rows(exponentials), "softmax of each column");
    const Expression of_slots =
        composer.let("slot_weights", shares / sum_of_columns(shares), "each row divided by its sum");
    composer.let("weights", product_transposed(of_slots, shares), "through the slots");
    return composer.let("context", composer.projected(of_slots, "M_v"), "what the slots hold");
}

}  // namespace

AlgorithmComponent declare_algorithms_external_memory() {
    AlgorithmComponent component;
    component.meaning = "norm(Q M_kᵀ) M_v: tokens look at a few learned slots, the same for every sentence, "
                        "and never at each other "
                        "(Guo et al. 2021); the weights shown are which tokens share slots";
    component.options = {
        count_option("slots", "Slots", 8, logarithmic_range(1, 512), "Rows of the memories M_k and M_v.")};
    component.known_parameters = {
        {"M_k", "[slots, d_q] per head, shared by the heads", "the memory’s keys"},
        {"M_v", "[slots, d_v] per head, shared by the heads", "the memory’s values"},
    };
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("M_k", {slots_of(plan), plan.head_query_width()});
        list.add("M_v", {slots_of(plan), plan.head_value_width()});
    };
    component.check = check_external_memory;
    component.makes_keys_and_values = true;
    component.stages = [](const Plan& plan, StageList& list) {
        for (const char* name : {"slot_scores", "slot_shares", "slot_weights"})
            list.add_vectors(name, Axis::query, slots_of(plan));
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.working = elements(2, plan.queries, slots_of(plan)) * needs.real};
    };
    component.declared_stages = {
        made_stage("slot_scores", "Scores of the slots", {}, {.column = "memory slot"}),
        made_stage("slot_shares", "Shares of the slots", {}, {.column = "memory slot", .is_share = true}),
        made_stage("slot_weights", "Weights of the slots", {}, {.column = "memory slot", .is_share = true})};
    component.steps = [](const Plan& plan, auto& pipeline) {
        const auto* keys = pipeline.operands.vector("M_k");
        const auto* values = pipeline.operands.vector("M_v");
        pipeline.algorithm = [&plan, keys, values](const auto& task, const Recorder& record) {
            MemoryHead(plan, keys, values, task, record).run();
        };
    };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        const double slots = static_cast<double>(plan.heads * plan.queries * slots_of(plan));
        return {.multiply_adds =
                    slots * static_cast<double>(plan.head_query_width() + plan.head_value_width()),
                .map_numbers = slots,
                .cache_numbers = 0};
    };
    component.define = define_external_memory;
    return component;
}

}  // namespace headlight
