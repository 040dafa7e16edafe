#pragma once

#include "core/model/hook.h"

#include <optional>
#include <vector>

namespace headlight {

/// A change that a person makes to what a model attends with; the model decodes on from there.
struct Intervention {
    enum class Kind {
        set_weight,   ///< `key` gets `weight`, and what the others share keeps its proportions
        zero_column,  ///< `key` gets nothing; the row then sums to less, unless it is renormalised
        forbid_key,   ///< the mask forbids `key`: the others get its share
        uniform_row,  ///< all allowed keys alike
        copy_head,    ///< the weights of `from_head`
        mute_head,    ///< no weight at all: the head's context is zero
    };
    Kind kind = Kind::set_weight;
    std::string site{};
    std::optional<Index> head{};  ///< every head if absent
    std::optional<Index> step{};  ///< place of the query; every one if absent
    Index key = 0;
    double weight = 0;  ///< in [0, 1]
    Index from_head = 0;
    bool renormalizes = false;  ///< zero_column: the others share what the key had, in their proportions
    bool operator==(const Intervention&) const = default;
};

/// Whether Intervention::key says something of this kind.
constexpr bool is_about_key(Intervention::Kind kind) {
    using enum Intervention::Kind;
    return kind == set_weight || kind == zero_column || kind == forbid_key;
}

/// Carries interventions out, one after another, and lets the next hook see the result.
class Intervening : public Hook<float> {
public:
    explicit Intervening(std::vector<Intervention> interventions, Hook<float>* next = nullptr)
        : interventions_(std::move(interventions)), next_(next) {}

    void scores(const SiteCall& call, nn::Variable<float> query, nn::Variable<float> scores) override;
    void weights(const SiteCall& call, nn::Variable<float> weights) override;
    void context(const SiteCall& call, nn::Variable<float> context) override;
    void attended(const SiteCall& call, nn::Variable<float> query, nn::Variable<float> weights) override;
    void mixture(const nn::CopyMixture<float>& mixture) override;

private:
    template <class Change>
    void for_each_row(const SiteCall& call, const Intervention& intervention, nn::Variable<float> map,
                      const Change& change) const;

    std::vector<Intervention> interventions_;
    Hook<float>* next_;
    nn::Variable<float> masked_;  ///< scores of the call whose weights come next
};

}  // namespace headlight
