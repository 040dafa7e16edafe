#include "core/model/reinforcement.h"

#include "core/kernels/power_sum.h"
#include "core/nn/entropy.h"
#include "core/nn/operations.h"

#include <algorithm>
#include <array>
#include <span>

namespace headlight {

using namespace nn;

BaselineWeights add_baseline(ParameterLayout& layout, const std::string& prefix,
                             const Reinforcement& reinforcement, Index query_width, double guess) {
    BaselineWeights weights;
    if (reinforcement.baseline == Reinforcement::Baseline::none)
        return weights;
    weights.constant = layout.add_constant(prefix + "b", 1, 1, guess);
    if (reinforcement.baseline == Reinforcement::Baseline::state)
        weights.state = layout.add(prefix + "W", query_width, 1, Initial::zero);
    return weights;
}

template <class Real>
void Draws<Real>::scores(const SiteCall&, Variable<Real> query, Variable<Real> scores) {
    queries_.push_back(query);
    scores_.push_back(scores);
}

template <class Real>
void Draws<Real>::weights(const SiteCall&, Variable<Real> weights) {
    for (Index r = 0; r < weights.rows; ++r) {
        const Real* row = weights.row(r);
        keys_.push_back(std::max_element(row, row + weights.columns) - row);
    }
}

namespace {

/// What follows each step of each text, itself included: [t b].
template <class Real>
struct ToCome {
    std::vector<Real> loss;   ///< discounted
    std::vector<Real> steps;  ///< how many, discounted alike; 0 behind the end
};

template <class Real>
ToCome<Real> to_come(const SampledText<Real>& text, Index batch, Real discount) {
    ToCome<Real> all{std::vector<Real>(text.labels.size()), std::vector<Real>(text.labels.size())};
    for (Index r = text.logits.rows; r-- > 0;) {
        const auto row = static_cast<std::size_t>(r);
        const Index label = text.labels[row];
        if (label < 0)
            continue;
        const std::span<const Real> logits(text.logits.row(r), static_cast<std::size_t>(text.logits.columns));
        const double said = logits[static_cast<std::size_t>(label)];
        const Real own = static_cast<Real>(-kernels::sum_of_powers(logits).log_share(said));
        const std::size_t next = row + static_cast<std::size_t>(batch);
        const bool is_last = next >= text.labels.size();
        all.loss[row] = own + (is_last ? Real(0) : discount * all.loss[next]);
        all.steps[row] = 1 + (is_last ? Real(0) : discount * all.steps[next]);
    }
    return all;
}

/// The first number, and the gradients of all.
template <class Real>
Variable<Real> with_gradients_of(Tape<Real>& tape, Variable<Real> loss,
                                 const std::array<Variable<Real>, 3>& others) {
    const Variable<Real> total = tape.variable(1, 1);
    *total.value = *loss.value;
    tape.on_backward([=](Tape<Real>&) {
        *loss.gradient() += *total.gradient();
        for (const Variable<Real>& each : others)
            if (each.has_gradient())
                *each.gradient() += *total.gradient();
    });
    return total;
}

/// Loss per step as the baseline expects it: [t b, 1]. The model is not to become easier to foretell: nothing
/// is passed on to the queries.
template <class Real>
Variable<Real> expected_loss(Tape<Real>& tape, const Draws<Real>& draws, const BaselineWeights& baseline) {
    const Variable<Real> constant = tape.weight(baseline.constant);
    const std::vector<Index> alike(draws.keys().size(), 0);
    if (baseline.state.size() == 0)
        return take_rows(tape, constant, std::span<const Index>(alike));
    std::vector<Variable<Real>> queries = draws.queries();
    for (Variable<Real>& each : queries)
        each = each.without_gradient();
    Variable<Real> all = join_rows(tape, std::span<const Variable<Real>>(queries));
    all = all.without_gradient();
    return affine(tape, all, baseline.state, baseline.constant);
}

}  // namespace

template <class Real>
Variable<Real> reinforced_loss(Tape<Real>& tape, const SampledText<Real>& text, const Draws<Real>& draws,
                               const Reinforcement& reinforcement, const BaselineWeights& baseline) {
    const Variable<Real> loss = cross_entropy(tape, text.logits, text.labels, text.divisor);
    if (!tape.differentiates())
        return loss;
    const Index batch = draws.scores().front().rows, rows = text.logits.rows;
    const ToCome<Real> after = to_come(text, batch, static_cast<Real>(reinforcement.discount));
    std::array<Variable<Real>, 3> others;

    std::vector<Real> surprise = after.loss;  // above what was expected
    if (baseline.constant.size() > 0) {
        const Variable<Real> expected = expected_loss(tape, draws, baseline);
        const Variable<Real> found = tape.constant(rows, 1), counted = tape.constant(rows, 1);
        for (Index r = 0; r < rows; ++r) {
            const Real steps = after.steps[static_cast<std::size_t>(r)];
            surprise[static_cast<std::size_t>(r)] -= steps * expected.value[r];
            found.value[r] = steps > 0 ? -after.loss[static_cast<std::size_t>(r)] / steps : Real(0);
            counted.value[r] = steps > 0 ? 1 / text.divisor : Real(0);
        }
        const Variable<Real> error = add(tape, expected, found);
        others[0] = sum(tape, multiply(tape, multiply(tape, error, error), counted));
    }

    Variable<Real> scores = join_rows(tape, std::span<const Variable<Real>>(draws.scores()));
    if (text.temperature != 1)
        scores = scale(tape, scores, 1 / text.temperature);
    std::vector<Index> drawn = draws.keys();
    std::vector<Real> factors(drawn.size()), undecided(drawn.size());
    for (std::size_t r = 0; r < drawn.size(); ++r) {
        if (after.steps[r] == 0)
            drawn[r] = -1;
        // cross_entropy has minus the logarithm of what was drawn.
        factors[r] = -static_cast<Real>(reinforcement.reward) * surprise[r];
        undecided[r] =
            after.steps[r] > 0 ? -static_cast<Real>(reinforcement.entropy) / text.divisor : Real(0);
    }
    others[1] = cross_entropy(tape, scores, std::span<const Index>(drawn), text.divisor,
                              std::span<const Real>(factors));
    if (reinforcement.entropy != 0)
        others[2] = entropy(tape, scores, std::span<const Real>(undecided));
    return with_gradients_of(tape, loss, others);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template class Draws<Real>;                                                                              \
    template Variable<Real> reinforced_loss(Tape<Real>&, const SampledText<Real>&, const Draws<Real>&,       \
                                            const Reinforcement&, const BaselineWeights&);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
