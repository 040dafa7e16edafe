#pragma once

#include "core/kernels/draw_key.h"
#include "core/kernels/kernels.h"
#include "core/kernels/packet.inc.h"

namespace headlight::kernels { namespace {

/// One query's row on its way from scores to weights, in place. Without a recording sink nothing is computed
/// for keys past the row's last allowed one; with it the whole row is, for the trace shows the scores that
/// the mask forbids.
template <class Real, class Sink>
class Row {
public:
    Row(const Block<Real>& block, const Sink& sink, Index query)
        : block_(block), sink_(sink), query_(query), row_(block.weights + query * block.keys),
          allowed_(block.allowed + query * block.keys),
          end_(block.mask.excludes ? block.ends[query] : block.keys),
          computed_(Sink::records || block.is_mapped ? block.keys : end_),
          written_(Sink::records || block.is_mapped ? block.keys : block.reach) {}

    void scores_to_masked() {
        if (block_.hooks) {
            if (block_.hooks->writes_scores())
                block_.hooks->write_scores(number(), row_, computed_);
            block_.hooks->after_score(number(), row_, computed_);
        }
        record(&StageSlots::scores);
        if (block_.mask.before_scale) {
            mask();
            record(&StageSlots::masked_scores);
            scale();
            exclude();  // again: a scale of 0 or below would make a number of -infinity
            add_bias();
        } else {
            scale();
            add_bias();
            mask();
            select();
            record(&StageSlots::masked_scores);
            return;
        }
        select();
    }

    void masked_to_weights() {
        if (end_ > 0 && !is_emptied())
            normalize();
        else
            give_up();
        if (block_.hooks)
            block_.hooks->finish_row(number(), row_, end_);
        record(&StageSlots::weights);
    }

private:
    void record(double* StageSlots::*stage) const { sink_.row(stage, query_, row_, computed_); }
    Index number() const { return block_.first_query + query_; }

    void add_bias() {
        if (block_.hooks)
            block_.hooks->after_scale(number(), row_, computed_);
        record(&StageSlots::scaled_scores);
        if (block_.hooks)
            block_.hooks->add_bias(number(), row_, computed_);
        record(&StageSlots::biased_scores);
    }

    void select() {
        if (block_.hooks)
            block_.hooks->select(number(), row_, end_);
    }

    /// A selection may leave none of the keys that the mask allows.
    bool is_emptied() const {
        return block_.hooks && block_.hooks->selects() &&
               maximum(row_, end_) == -std::numeric_limits<Real>::infinity();
    }

    void scale() {
        if (block_.score.scale == Real(1))
            return;
        const Packet<Real> factor = fill(block_.score.scale);
        transform(row_, computed_, [factor](Packet<Real> score) { return packet::pmul(score, factor); });
    }

    void mask() {
        exclude();
        if (block_.mask.excludes)
            return;
        const auto value = static_cast<Real>(block_.mask.value);
        for (Index key = 0; key < computed_; ++key)
            row_[key] = allowed_[key] ? row_[key] : row_[key] + value;
    }

    void exclude() {
        if (!block_.mask.excludes)
            return;
        constexpr Real forbidden = -std::numeric_limits<Real>::infinity();
        if (!block_.mask.is_prefix)
            for (Index key = 0; key < end_; ++key)
                row_[key] = allowed_[key] ? row_[key] : forbidden;
        set(end_, computed_, forbidden);
    }

    void set(Index first, Index last, Real value) {
        for (Index key = first; key < last; ++key)
            row_[key] = value;
    }

    void normalize() {
        if (block_.hooks && block_.hooks->normalizes()) {
            block_.hooks->normalize(number(), row_, end_);
            set(end_, written_, Real(0));
            block_.hooks->after_normalize(number(), row_, end_);
            return;
        }
        const Real largest = maximum(row_, end_);
        using Choice = NormalizeRule::Choice;
        const bool is_soft = block_.normalizer.choice == Choice::none;
        const bool draws = block_.normalizer.choice == Choice::drawn;
        const Index best = is_soft || draws ? 0 : first_equal(largest);
        if (Sink::records || is_soft || draws)
            softmax_row(largest);
        set(end_, written_, Real(0));
        if (!is_soft)
            choose(draws ? draw() : best);
        if (block_.hooks)
            block_.hooks->after_normalize(number(), row_, end_);
    }

    /// Lowest key among ties.
    Index first_equal(Real largest) const {
        Index key = 0;
        while (key + 1 < end_ && row_[key] != largest)
            ++key;
        return key;
    }

    void softmax_row(Real largest) {
        sink_.number(&StageSlots::row_maximum, query_, largest);
        const Real sum = exponentials(row_, end_, largest, static_cast<Real>(block_.normalizer.temperature));
        set(end_, computed_, Real(0));
        record(&StageSlots::exponentials);
        sink_.number(&StageSlots::row_sum, query_, sum);
        const Packet<Real> divisor = fill(sum);
        transform(row_, end_, [divisor](Packet<Real> power) { return packet::pdiv(power, divisor); });
        record(&StageSlots::soft_weights);
    }

    Index draw() const {
        const auto drawn = [&](Index number) {
            return draw_key(row_, end_, block_.stream, block_.first_query + query_, number);
        };
        const Index first = drawn(0);
        sink_.number(&StageSlots::draw, query_, static_cast<Real>(first));
        if constexpr (Sink::records) {
            const Index draws = block_.normalizer.draws;
            for (Index number = 0; number < draws; ++number) {
                if (block_.pause && number % 256 == 0)
                    block_.pause();
                sink_.count(&StageSlots::frequencies, query_, drawn(number));
            }
            sink_.divide(&StageSlots::frequencies, query_, draws);
        }
        return first;
    }

    void choose(Index key) {
        set(0, end_, Real(0));
        row_[key] = 1;
    }

    /// Nothing is allowed: no weight, and no NaN from a softmax over nothing.
    void give_up() {
        set(0, written_, Real(0));
        sink_.number(&StageSlots::row_maximum, query_, -std::numeric_limits<Real>::infinity());
        sink_.number(&StageSlots::row_sum, query_, Real(0));
        sink_.number(&StageSlots::draw, query_, Real(-1));
        record(&StageSlots::exponentials);
        record(&StageSlots::soft_weights);
    }

    const Block<Real>& block_;
    const Sink& sink_;
    Index query_;
    Real* row_;
    const std::uint8_t* allowed_;
    Index end_;       ///< one past the last key that gets weight
    Index computed_;  ///< keys whose scores are known
    Index written_;   ///< keys whose weights are read later
};

}}  // namespace headlight::kernels
