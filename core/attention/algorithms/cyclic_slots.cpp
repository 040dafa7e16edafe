#include "core/attention/algorithms/delta_states.h"

#include <cmath>
#include <numbers>

namespace headlight {
namespace {

Index waves_of_slots(const Plan& plan) { return plan.algorithm().count("waves"); }
Index cyclic_slots(const Plan& plan) { return 2 * waves_of_slots(plan) + 1; }

/// cos and sin [h, rows, waves] of 2π p λ / (2 w + 1), p = 1 to w, of times λ [h, rows, 1].
struct ClockWaves {
    Expression cosines, sines;
};

ClockWaves write_clock_waves(Composer& composer, const std::string& suffix, const Expression& times) {
    const Index waves = waves_of_slots(composer.plan), slots = cyclic_slots(composer.plan);
    const Expression speeds = composer.of_places(
        "wave_speeds", {0, 1, waves}, "how far each wave turns in a unit of time", [slots](Place at) {
            return 2 * std::numbers::pi * static_cast<double>(at.column + 1) / static_cast<double>(slots);
        });
    const Expression phases = composer.let("phases" + suffix, times * speeds);
    return {composer.let("cosines" + suffix, cos_of(phases)), composer.let("sines" + suffix, sin_of(phases))};
}

/// What slot r has of a wave at the time Δ: (1 + 2 Σ_p cos(2π p (r − Δ) / (2 w + 1))) / (2 w + 1) of all of
/// them is 1 at Δ = r and 0 at every other whole time. [1 + 2 w, slots]: of the constant, cosines, sines.
Expression basis_of_slots(Composer& composer) {
    const Index waves = waves_of_slots(composer.plan), slots = cyclic_slots(composer.plan);
    return composer.of_places("slot_basis", {0, slots, slots},
                              "what each slot has of the constant and of each wave", [=](Place at) {
                                  const auto count = static_cast<double>(slots);
                                  if (at.row == 0)
                                      return 1 / count;
                                  const bool is_cosine = at.row <= waves;
                                  const auto wave = static_cast<double>(is_cosine ? at.row : at.row - waves);
                                  const double phase =
                                      2 * std::numbers::pi * wave * static_cast<double>(at.column) / count;
                                  return 2 / count * (is_cosine ? std::cos(phase) : std::sin(phase));
                              });
}

/// What is left of each token when a query reads, [h, n, m]: β, faded by the gates since; 0 where it is not
/// seen.
Expression write_left_of_tokens(Composer& composer) {
    const Expression strengths = transposed(write_strengths_of_tokens(composer));
    if (!composer.plan.algorithm().flag("forgets")) {
        const std::vector<Index> of_all(static_cast<std::size_t>(composer.plan.queries), 0);
        return composer.let("left_of_tokens", composer.where_open(some_rows(strengths, of_all), 0), "β");
    }
    const Expression log_gates = composer.let(
        "log_gates",
        of_seen_keys(composer, -exp_of(composer.parameter_of_heads("A_log")) * step_sizes(composer)),
        "ln of what is kept at each token");
    const Expression so_far = write_summed_gates(composer, "log_gates_so_far", log_gates);
    const Expression reached = composer.let("log_gates_at_query", rows_of_newest_keys(composer, so_far));
    return composer.let("left_of_tokens",
                        composer.where_open(left_between(reached, transposed(so_far)) * strengths, 0),
                        "β, faded by the gates since");
}

/// Slots of times: a query reads token j at the time λ_i − λ_j that has gone by on a learned clock. Keys and
/// values of slots are sums over waves, so that time, whole or not, turns them on at once (Chen et al. 2026).
Expression define_cyclic_slots(Composer& composer) {
    const Index waves = waves_of_slots(composer.plan), slots = cyclic_slots(composer.plan);
    const Expression scores = write_scaled_products(composer);
    const Expression steps =
        composer.let("clock_steps", of_seen_keys(composer, sigmoid_of(numbers_of_tokens(composer, "clock"))),
                     "how far the clock goes on at each token");
    const Expression clock = composer.let("clock", summed_so_far(steps), "the time at each token");
    const ClockWaves written = write_clock_waves(composer, "_of_tokens", clock),
                     now = write_clock_waves(composer, "_of_queries", rows_of_newest_keys(composer, clock));
    const Expression still = composer.of_places("still_wave", {composer.heads, composer.plan.keys, 1},
                                                "the wave that does not turn", [](Place) { return 1.0; });
    const Expression atoms =
        composer.let("atoms", join_columns({still, written.cosines, written.sines}), "each token, as waves");
    const Expression left = write_left_of_tokens(composer);

    // What waves hold is turned by the time of the query: then it is what has gone by that counts.
    const Expression held =
        composer.let("scores_of_waves", product(composer.where_open(scores * left, 0), atoms),
                     "the scores of what each wave holds");
    const auto part = [&](const Expression& x, Index number) {
        return some_columns(x, counted(1 + number * waves, waves));
    };
    const Expression along = part(held, 0), across = part(held, 1);
    const Expression turned =
        composer.let("turned_scores",
                     join_columns({some_columns(held, {0}), now.cosines * along + now.sines * across,
                                   now.sines * along - now.cosines * across}),
                     "turned by the time of the query");
    const Expression basis = basis_of_slots(composer);
    const Expression found = composer.let("slot_scores", product(turned, basis), "q · k̃ / √d of each slot");
    const Expression mixes =
        composer.let("slot_mixes", unit_matrix(composer, slots) + composer.matrices_of_heads("R_slots"),
                     "what each read has of each slot");
    const Expression weights = softmax_of(composer, "slot_weights", product_transposed(found, mixes));
    const Expression shares =
        composer.let("slot_shares", product(weights, mixes), "what each query takes from each slot");
    const Expression read =
        composer.let("waves_of_shares", product_transposed(shares, basis), "the shares as waves");
    const Expression cosines = part(read, 0), sines = part(read, 1);
    const Expression back =
        composer.let("turned_back",
                     join_columns({some_columns(read, {0}), now.cosines * cosines + now.sines * sines,
                                   now.sines * cosines - now.cosines * sines}),
                     "turned back by the time of the query");
    return write_attended_values(composer, composer.let("weights", product_transposed(back, atoms) * left,
                                                        "what each query gets of each key, by all slots"));
}

}  // namespace

AlgorithmComponent declare_algorithms_cyclic_slots() {
    AlgorithmComponent component;
    component.meaning =
        "h_irj = β_j Π α D(r − (λ_i − λ_j)), λ a running sum of σ(y W_clock + b_clock): what slot r holds of "
        "token j, D of a circle of slots 1 at 0 and 0 at other whole numbers; p = softmax(R Σ_j h_irj q · "
        "k_j / √d), A_ij = Σ_r (Rᵀ p)_r h_irj, R = 1 + R_slots (CyFA, Chen et al. 2026)";
    component.options = {count_option("waves", "Waves", 3, {1, 64},
                                      "How many waves turn beside one that stands still: w of them make a "
                                      "circle of 2 w + 1 slots, 63 of them 127 in the paper."),
                         flag_option("forgets", "Forgets", true,
                                     "Whether all slots fade by a gate of each token; without it a slot "
                                     "holds all that has come to its time.")};
    component.known_parameters = {
        {"W_clock", "[d, h]", "projects the keys’ token vectors to a step of each head’s clock"},
        {"b_clock", "[h]", "is added to the steps of the clock before their sigmoid"},
        {"R_slots", "[h slots, slots]", "what each read has of other slots than its own"}};
    add_delta_rule_names(component.known_parameters);
    add_step_names(component.known_parameters);
    add_rate_name(component.known_parameters);
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add_with_bias("W_clock", {plan.tokens.key_width, plan.heads});
        add_delta_rule_parameters(plan, list);
        list.add("R_slots", {plan.heads * cyclic_slots(plan), cyclic_slots(plan)}, 0.0);
        if (!plan.algorithm().flag("forgets"))
            return;
        add_step_parameters(plan, list);
        add_rate_parameter(plan, list);
    };
    component.takes_vector_norm = true;
    DeclaredStage strengths = declared_strengths();
    strengths.lights = "left_of_tokens";
    component.declared_stages = {
        declared_scores_stage(),
        made_stage("clock_steps", "Steps of the clock",
                   {"σ(y W_clock + b_clock)", token_operands(), "× W_clock\n+ b_clock,\nsigmoid\n→"},
                   {.lights = "clock", .is_of_keys = true, .is_share = true}),
        made_stage("clock", "Clock", {"the time at each token", {{"clock_steps"}}, "added up\n→"},
                   {.lights = "weights", .is_of_keys = true}),
        strengths,
        declared_shares_stage("left_of_tokens", "What is left of each token",
                              {"its strength, faded by the gates since", {{"write_strengths"}}, "faded\n→"}),
        made_stage("slot_scores", "Scores of the slots",
                   {"the scores of what each slot holds, added up",
                    {{"scores"}, {"left_of_tokens", "and"}, {"clock", "and"}},
                    "added up\nin slots\n→"},
                   {.lights = "slot_weights", .has_features = true, .column = "slot"}),
        made_stage("slot_weights", "Weights of the slots",
                   {"softmax of R times their scores", {{"slot_scores"}}, "× R,\nsoftmax\n→"},
                   {.lights = "weights", .has_features = true, .column = "slot", .is_share = true}),
        declared_weights_stage({"what each query gets of each key, by all slots",
                                {{"slot_weights"}, {"left_of_tokens", "and"}, {"clock", "and"}},
                                "what slots\nhold\n→"})};
    component.define = define_cyclic_slots;
    return component;
}

}  // namespace headlight
