#include "core/model/recurrent_model.h"
#include "core/nn/coverage.h"
#include "core/nn/operations.h"
#include "core/tensor/random.h"

namespace headlight {

using namespace nn;

template <class Real>
std::vector<Decoded<Real>> RecurrentModel::decode(Tape<Real>& tape, const Attention& attention,
                                                  const Encoded<Real>& encoded, const Sequences& inputs,
                                                  std::uint64_t stream, Hook<Real>* hook) const {
    Carried<Real> carried = start(tape, encoded, stream);
    std::vector<Decoded<Real>> decoded;
    for (Index t = 0; t < inputs.steps; ++t) {
        decoded.push_back(step(tape, attention, encoded, carried, inputs.at(t), hook));
        carried = decoded.back().next;
    }
    return decoded;
}

template <class Real>
Variable<Real> RecurrentModel::coverage_loss(Tape<Real>& tape, std::span<const Decoded<Real>> decoded,
                                             const Sequences& labels, Real divisor) const {
    const bool is_summed = configuration_.score.type == ScoreType::coverage;
    const Real factor = static_cast<Real>(configuration_.coverage_loss) / divisor;
    Variable<Real> total = tape.constant(1, 1), covered;  // the first step has looked at nothing before
    *total.value = 0;
    for (std::size_t t = 0; t < decoded.size(); ++t) {
        const Decoded<Real>& step = decoded[t];
        if (t > 0)
            total =
                add(tape, total,
                    nn::coverage_loss(tape, step.weights, covered, labels.at(static_cast<Index>(t)), factor));
        covered = is_summed ? step.next.attention.score.history
                  : t == 0  ? step.weights
                            : add(tape, covered, step.weights);
    }
    return total;
}

template <class Real>
Variable<Real> RecurrentModel::loss(Tape<Real>& tape, const Batch& batch, Real divisor,
                                    std::uint64_t stream) const {
    const Encoded<Real> encoded = encode(tape, batch.source);
    const auto said_by = [&](const std::vector<Decoded<Real>>& decoded) {
        return logits(tape, encoded, std::span<const Decoded<Real>>(decoded),
                      static_cast<Hook<Real>*>(nullptr));
    };
    if (!is_hard()) {
        const std::vector<Decoded<Real>> decoded =
            decode(tape, attention_, encoded, batch.inputs, stream, static_cast<Hook<Real>*>(nullptr));
        const Variable<Real> loss = cross_entropy<Real>(tape, said_by(decoded), batch.labels.tokens, divisor);
        if (configuration_.coverage_loss == 0)
            return loss;
        return add(tape, loss,
                   coverage_loss(tape, std::span<const Decoded<Real>>(decoded), batch.labels, divisor));
    }
    Variable<Real> total;
    const Index draws = std::max<Index>(configuration_.reinforcement.draws, 1);
    for (Index number = 0; number < draws; ++number) {
        Draws<Real> drawn;
        const Variable<Real> said =
            said_by(decode<Real>(tape, drawing_, encoded, batch.inputs,
                                 substream(stream, static_cast<std::uint64_t>(number)), &drawn));
        const SampledText<Real> text{said, batch.labels.tokens, divisor * static_cast<Real>(draws),
                                     static_cast<Real>(configuration_.normalizer.temperature)};
        const Variable<Real> loss =
            reinforced_loss(tape, text, drawn, configuration_.reinforcement, baseline_);
        total = number == 0 ? loss : add(tape, total, loss);
    }
    return total;
}

template Variable<float> RecurrentModel::loss(Tape<float>&, const Batch&, float, std::uint64_t) const;
template Variable<double> RecurrentModel::loss(Tape<double>&, const Batch&, double, std::uint64_t) const;

}  // namespace headlight
