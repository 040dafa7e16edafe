#pragma once

#include "core/model/hook.h"

#include <span>
#include <vector>

namespace headlight {

/// How hard attention learns where to look, which has no derivative: it draws keys, and each draw becomes the
/// likelier the more the loss that follows is below what was expected (Williams 1992; Xu et al. 2015, section
/// 4.1). A draw is held responsible for the losses from its step on: those before it cannot depend on it.
struct Reinforcement {
    /// What is expected, so that the estimate varies less; it does not depend on the draw.
    enum class Baseline {
        none,
        average,  ///< one learned number, which follows the losses as the moving average of the paper does
        state,    ///< a linear function of what the attention is asked with, learned beside the model
    };
    double reward = 1;      ///< lambda_r of equation 12
    double entropy = 0.01;  ///< lambda_e: rewards attention that is undecided
    double discount = 1;    ///< a loss counts by this to the power of the steps since the draw; 1 has no bias
    Index draws = 1;        ///< of each text
    Baseline baseline = Baseline::state;
    bool operator==(const Reinforcement&) const = default;
};

/// The learned numbers of a baseline: loss per remaining step.
struct BaselineWeights {
    nn::Weight state;     ///< [d, 1], of Baseline::state
    nn::Weight constant;  ///< [1, 1]
};

/// `guess` is what the loss of a step is before anything is learned.
BaselineWeights add_baseline(nn::ParameterLayout& layout, const std::string& prefix,
                             const Reinforcement& reinforcement, Index query_width, double guess);

/// Notes which keys a decoder draws, one query of one head at a time.
template <class Real>
class Draws : public Hook<Real> {
public:
    void scores(const SiteCall& call, nn::Variable<Real> query, nn::Variable<Real> scores) override;
    void weights(const SiteCall& call, nn::Variable<Real> weights) override;

    const std::vector<nn::Variable<Real>>& queries() const { return queries_; }  ///< [b, d] of each step
    const std::vector<nn::Variable<Real>>& scores() const { return scores_; }    ///< [b, m] of each step
    const std::vector<Index>& keys() const { return keys_; }                     ///< [t b]

private:
    std::vector<nn::Variable<Real>> queries_, scores_;
    std::vector<Index> keys_;
};

/// What was said with the drawn keys: logits [t b, v] and labels [t b] as cross_entropy has them.
template <class Real>
struct SampledText {
    nn::Variable<Real> logits;
    std::span<const Index> labels;
    Real divisor = 1;
    Real temperature = 1;  ///< of the softmax that the keys were drawn from
};

/// The loss of the text, with the gradient that estimates that of the loss to be expected over all draws, and
/// with that of the baseline's squared error.
template <class Real>
nn::Variable<Real> reinforced_loss(nn::Tape<Real>& tape, const SampledText<Real>& text,
                                   const Draws<Real>& draws, const Reinforcement& reinforcement,
                                   const BaselineWeights& baseline);

}  // namespace headlight
