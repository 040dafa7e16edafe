#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/attention/sigmoid.h"
#include "core/attention/stage_list.h"

#include <functional>

namespace headlight {

class ExplainedCell;

// Mixers that keep a state S [r, d_v] in place of a map. With k, q [r] the features of a key and of a query,
// a the gate and w the write strength of a key, the keys enter one after another,
//   S <- diag(a) S + w k v^T                        or, by the delta rule,
//   S <- diag(a) S + w k (v - (diag(a) S)^T k)^T
// and a query reads o = S^T q after the last key that it sees: time n r d_v, whatever the length. The map
// that was never formed (catalogue 0.5) is found by walking back from a query through its keys.

/// What a context is divided by.
enum class Divisor {
    none,
    sum,            ///< the sum of the row's weights, so that it becomes 1
    sum_above_one,  ///< the sum's absolute value where it is above 1                 (Sun et al. 2023,
                    ///< section 2.1)
    feature_sums,   ///< each feature of the query by the sum of that feature over the keys
};

/// What is known of a mixer before it runs.
struct RecurrenceKind {
    Index features = 0;  ///< r
    Index gates = 0;     ///< numbers in a: none, one, or r
    Index products = 0;  ///< multiplications that one token's features take
    /// Numbers that a key's token vector is projected to beside k and v, all heads together: gates,
    /// strengths.
    Index projected = 0;
    bool has_strength = false;
    bool is_delta = false;
    Divisor divisor = Divisor::none;
    bool is_positive = false;     ///< every product of features is above 0: a sum of 0 has vanished
    bool shows_features = false;  ///< they are not just the query and the key
    bool shows_gates = true;
    bool shows_state = true;
    /// 0: every query reads a state. Otherwise states are kept at multiples of it and the keys since then are
    /// looked at one by one: with a chunk of m, no state is kept at all.
    Index chunk = 0;
};

/// One head of a mixer. Number is what is computed in, float or double.
template <class Number>
struct Recurrence : RecurrenceKind {
    using Vector = std::function<void(Index token, Number* out)>;
    Vector query = {}, key = {};  ///< [r]
    Vector log_gate = {};         ///< [gates], at most 0
    std::function<Number(Index key)> strength = {};
};

/// Fills the task's context, and its weights when they are asked for.
template <class Real, class Number>
void run_recurrence(const Plan& plan, const HeadTask<Real>& task, const Recurrence<Number>& mixer,
                    const Recorder& record);

/// Fading and writing the state for every key, reading it for every query; a state of fixed size, and no map.
/// In the parallel and chunked forms pairs are compared in place of what the state would have told.
AlgorithmCost recurrence_cost(const Plan& plan, const RecurrenceKind& kind);

/// What run_recurrence() allocates for a head whose numbers take `number` bytes.
StepMemory recurrence_memory(const Plan& plan, const RecurrenceKind& kind, const RunNeeds& needs,
                             double number);

/// The stages that run_recurrence() records, in the order of the formula. A run of the definition, which
/// compares pairs, has no states.
void add_recurrence_stages(const Plan& plan, StageList& list, const RecurrenceKind& kind);

/// What they are called.
std::vector<DeclaredStage> declared_recurrence_stages();
/// The same of mixers that divide features by what all of a row have in common.
std::vector<DeclaredStage> declared_shifted_recurrence_stages();

/// Declares what follows from the kind of a mixer: the stages that it records, what it costs, what
/// run_recurrence() allocates for a head, in the run's precision or in double, and that it takes prefixes,
/// and norms of queries and keys.
template <RecurrenceKind (*kind)(const Plan& plan), bool in_double = false>
void declare_recurrence(AlgorithmComponent& component) {
    component.stages = [](const Plan& plan, StageList& list) {
        add_recurrence_stages(plan, list, kind(plan));
    };
    component.declared_stages = declared_recurrence_stages();
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return recurrence_memory(plan, kind(plan), needs, in_double ? sizeof(double) : needs.real);
    };
    component.cost = [](const Plan& plan) { return recurrence_cost(plan, kind(plan)); };
    component.steps_need_prefixes = true;
    component.takes_vector_norm = true;
}

/// "form" and "chunk", for mixers that can be had in all three; chunk_of() is their RecurrenceKind::chunk.
std::vector<Option> form_options();
Index chunk_of(const Plan& plan);

/// "scaled", whether queries are divided by the square root of d_k, and that factor or 1.
Option scaled_option(bool standard);
double query_scale(const Plan& plan);

/// The features that are the vector itself times a factor.
template <class Number, class Real>
auto plain_features(MatrixView<const Real> rows, double factor = 1) {
    return [=](Index token, Number* out) {
        const Real* from = rows.row(token);
        for (Index c = 0; c < rows.columns; ++c)
            out[c] = static_cast<Number>(from[c]) * static_cast<Number>(factor);
    };
}

/// What this cell of one of the stages above follows from that no line of a program has.
Arithmetic explain_recurrence(const ExplainedCell& cell, std::string_view stage);

}  // namespace headlight
