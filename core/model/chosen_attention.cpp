#include "core/model/chosen_attention.h"

#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/nn/normalize.h"
#include "core/nn/score.h"

#include <string_view>
#include <utility>

namespace headlight {

namespace {

/// Mechanisms of the catalogue that are windows of a recurrent host (Luong et al. 2015, section 3.2).
constexpr std::pair<std::string_view, LocalWindow::Kind> windows[] = {
    {"local_m", LocalWindow::Kind::monotonic}, {"local_p", LocalWindow::Kind::predicted}};

/// Layers of these have projections of the host's; others are computed by the mechanism's program.
bool stand_alone(const ChosenAttention& chosen) {
    return nn::stands_alone(chosen.score) && nn::stands_alone(chosen.normalizer);
}

/// What a mechanism of the catalogue weighs with, if that is all there is to it in this host.
std::optional<ChosenAttention> attention_of(const Mechanism& mechanism, HostType host) {
    AttentionSpec spec = build_spec(mechanism, {});
    const ChosenAttention chosen{spec.score, spec.normalizer};
    // The host has projections of its own, and a Transformer heads.
    const AttentionSpec plain;
    spec.score = plain.score;
    spec.normalizer = plain.normalizer;
    spec.source = plain.source;
    spec.projections = plain.projections;
    const Heads of_its_own{
        .type = HeadsType::multi, .heads = spec.heads.heads, .kv_heads = spec.heads.kv_heads};
    if (spec.heads == of_its_own && !is_recurrent(host))  // whose heads neither share nor have gates
        spec.heads = plain.heads;
    return spec == plain && stand_alone(chosen) ? std::optional(chosen) : std::nullopt;
}

}  // namespace

std::optional<ChosenAttention> attention_named(const std::string& name, HostType host) {
    ChosenAttention chosen;
    if (is_recurrent(host))
        chosen.score.type = ScoreType::additive;
    if (name.empty())
        return chosen;
    if (const auto score = value_of<ScoreType>(name); score && nn::stands_alone(Score{.type = *score})) {
        chosen.score.type = *score;
        return chosen;
    }
    const auto normalizer = value_of<NormalizerType>(name);
    if (normalizer && nn::stands_alone(Normalizer{.type = *normalizer})) {
        chosen.normalizer.type = *normalizer;
        return chosen;
    }
    for (const auto& [id, kind] : windows)
        if (id == name && is_recurrent(host)) {
            chosen.score.type = ScoreType::general;  // with which the paper's are best
            chosen.window.kind = kind;
            return chosen;
        }
    const Mechanism* mechanism = find_mechanism(name);
    return mechanism ? attention_of(*mechanism, host) : std::nullopt;
}

bool is_drawn(const Normalizer& normalizer) { return normalizer.type == NormalizerType::hard; }

bool can_learn(const ChosenAttention& chosen, HostType host) {
    const bool has_estimate = is_drawn(chosen.normalizer) && is_recurrent(host);
    return has_estimate || nn::is_differentiable(chosen.normalizer);
}

}  // namespace headlight
