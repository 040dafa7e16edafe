#include "core/attention/algorithms/channel_maps.h"
#include "core/attention/component.h"
#include "core/attention/positions/pair_places.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

const std::string& filter_kind(const Plan& plan) { return plan.algorithm().word("filter"); }
bool convolution_has_gates(const Plan& plan) { return plan.algorithm().flag("gates"); }
Index filter_states(const Plan& plan) { return plan.algorithm().count("states"); }
Index filter_hidden(const Plan& plan) { return plan.algorithm().count("hidden"); }
Index filter_bands(const Plan& plan) { return plan.algorithm().count("bands"); }
/// How many filters lie one behind another, with a gate between each two.
Index filters_in_turn(const Plan& plan) { return plan.algorithm().count("order") - 1; }
/// What the names of a filter's own parameters and stages end with: nothing for the first.
std::string suffix_of_filter(Index number) { return number == 1 ? "" : "_" + std::to_string(number); }

/// A parameter [channels, states] as [channel, state, 1].
Expression of_filter_states(Composer& composer, const std::string& name) {
    return transposed(split_rows(composer.parameter(name), channels_of_values(composer.plan)));
}

/// 2 Re Σ_s C_s (e^(Δ A_s) − 1) / A_s e^(t Δ A_s) [channel, lag], each complex number by its two parts: what
/// states that turn and fade have left of a token t places later (Gu et al. 2022).
Expression write_filters_of_states(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index states = filter_states(plan);
    const Expression step = split_heads(exp_of(composer.parameter("filter_step")), channels_of_values(plan));
    const Expression real = composer.let("filter_real", -exp_of(of_filter_states(composer, "filter_rates")),
                                         "real parts of A: how fast each state fades");
    const Expression angle =
        composer.let("filter_imaginary",
                     composer.constant("turns_of_states", {0, states, 1}, "π s",
                                       [](Index, Index state, Index) {
                                           return std::numbers::pi * static_cast<double>(state);
                                       }) +
                         of_filter_states(composer, "filter_turns"),
                     "imaginary parts of A: how fast each state turns");
    const Expression fading = composer.let("fading_of_step", exp_of(real * step));
    const Expression of_real = composer.let("real_of_step", fading * cos_of(angle * step) - 1),
                     of_turn = composer.let("imaginary_of_step", fading * sin_of(angle * step));
    const Expression square = composer.let("square_of_rates", real * real + angle * angle);
    const Expression written_real = composer.let("written_real", (of_real * real + of_turn * angle) / square,
                                                 "(e^(Δ A) − 1) / A: what a token writes to the state"),
                     written_turn =
                         composer.let("written_imaginary", (of_turn * real - of_real * angle) / square);
    const Expression C_real = of_filter_states(composer, "C_real"),
                     C_turn = of_filter_states(composer, "C_imaginary");
    const Expression read_real = composer.let("read_real", C_real * written_real - C_turn * written_turn,
                                              "C times that"),
                     read_turn =
                         composer.let("read_imaginary", C_real * written_turn + C_turn * written_real);
    const Expression lags =
        step * composer.constant("lags", {0, 1, plan.keys}, "0, 1, 2, ... places later",
                                 [](Index, Index, Index lag) { return static_cast<double>(lag); });
    const Expression times = composer.let("times_of_lags", lags, "in steps of each channel");
    const Expression left = composer.let(
        "states_at_lags",
        exp_of(real * times) * (read_real * cos_of(angle * times) - read_turn * sin_of(angle * times)),
        "[channel, state, lag]");
    return transposed(join_heads(transposed(2 * sum_of_rows(left))));
}

/// C Āᵗ B̄ [channel, lag] of a matrix A that is not diagonal, with M = (I − Δ A / 2)⁻¹, Ā = M (I + Δ A / 2)
/// and B̄ = M Δ B: A and B of HiPPO, which hold the coefficients of what came so far by Legendre polynomials
/// (Gu, Goel and Ré 2022).
Expression write_filters_of_matrix(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index states = filter_states(plan), channels = channels_of_values(plan);
    const auto root = [](Index state) { return std::sqrt(static_cast<double>(2 * state + 1)); };
    const Expression A = composer.let("state_matrix",
                                      composer.constant("hippo", {0, states, states}, "A of HiPPO-LegS",
                                                        [=](Index, Index row, Index column) {
                                                            return row == column
                                                                       ? -static_cast<double>(row + 1)
                                                                   : row > column ? -root(row) * root(column)
                                                                                  : 0.0;
                                                        }) +
                                          composer.parameter("A_more"),
                                      "how the states change one another");
    const Expression B = composer.constant("hippo_input", {0, states, 1}, "B of HiPPO-LegS: √(2 s + 1)",
                                           [=](Index, Index row, Index) { return root(row); });
    const Expression step = split_heads(exp_of(composer.parameter("filter_step")), channels);
    const Expression own = unit_matrix(composer, states, "own_state");
    const Expression half = composer.let("half_steps", step / 2 * A, "Δ A / 2 of each channel");
    const Expression behind = composer.let("behind_half", inverse_of(own - half), "(I − Δ A / 2)⁻¹");
    // What the states hold of a token after 0, 1, 2, ... places: twice as many places with each turn.
    Expression power = product(behind, own + half);
    Expression held = composer.let("states_held_1", product(behind, step * B), "of a token itself");
    for (Index places = 1; places < plan.keys; places *= 2) {
        const std::string many = std::to_string(places);
        power = composer.let("state_steps_" + many, power, "from a token to one so many places on");
        held = composer.let("states_held_" + std::to_string(2 * places),
                            join_columns({held, product(power, held)}), "of a token, after each place");
        power = product(power, power);
    }
    const Expression C = split_rows(composer.parameter("C_real"), channels);
    const Expression read = product(C, some_columns(held, counted(0, plan.keys)));
    return transposed(join_heads(transposed(read)));
}

/// The features of lag t: t / (L − 1), and cosines and sines of `bands` waves over L places.
double feature_of_lag(Index lag, Index feature, Index bands, Index length) {
    constexpr double slowest = 1e-4;  // as in the authors' code
    const double t = static_cast<double>(lag);
    if (feature == 0)
        return t / static_cast<double>(length - 1);
    const Index band = (feature - 1) % bands;
    const double share = bands > 1 ? static_cast<double>(band) / static_cast<double>(bands - 1) : 0;
    const double waves = slowest + share * (static_cast<double>(bands - 1) - slowest);
    const double angle = waves * 2 * std::numbers::pi * t / static_cast<double>(length);
    return feature <= bands ? std::cos(angle) : -std::sin(angle);
}

/// How fast the window of a channel closes: to a hundredth between 0.3 and 1.5 times the longest text.
double closing_of_channel(Index channel, Index channels) {
    const double slow = std::log(100.0) / 1.5, fast = std::log(100.0) / 0.3;
    const double share = channels > 1 ? static_cast<double>(channel) / static_cast<double>(channels - 1) : 0;
    return slow + share * (fast - slow);
}

/// The hidden units that a small network of sines makes of each lag, [lag, hidden] (Poli et al. 2023).
Expression write_lag_units(Composer& composer) {
    const Plan& plan = composer.plan;
    const Index bands = filter_bands(plan), length = plan.algorithm().count("length");
    const double frequency = plan.algorithm().number("frequency");
    Expression hidden = composer.constant(
        "lag_features", {0, plan.keys, 1 + 2 * bands}, "t / (L − 1), and waves over L places",
        [=](Index, Index lag, Index feature) { return feature_of_lag(lag, feature, bands, length); });
    for (const char* layer : {"1", "2"})
        hidden = composer.let(std::string("filter_hidden_") + layer,
                              sin_of(frequency * composer.projected(hidden, std::string("W_filter_") + layer,
                                                                    std::string("b_filter_") + layer)),
                              "sines of what the layer makes of it");
    return hidden;
}

/// What one more layer makes of these, under a window that closes, [channel, lag].
Expression filters_of_network(Composer& composer, const Expression& units, const std::string& suffix) {
    const Plan& plan = composer.plan;
    const Index bands = filter_bands(plan), length = plan.algorithm().count("length");
    const Index channels = channels_of_values(plan);
    const Expression window = exp_of(composer.constant(
        "window_logs" + suffix, {0, plan.keys, channels},
        "ln of the window, which closes faster channel by channel", [=](Index, Index lag, Index channel) {
            return -closing_of_channel(channel, channels) * feature_of_lag(lag, 0, bands, length);
        }));
    return transposed(composer.projected(units, "W_filter_out" + suffix) * window);
}

/// Filters [channel, lag] and what a token has more of itself, as the stage `channel_filters`.
Expression write_channel_filters(Composer& composer, const Expression& filters, const std::string& suffix) {
    const Expression own =
        transposed(composer.parameter("filter_own" + suffix)) *
        composer.constant("is_lag_0" + suffix, {0, 1, composer.plan.queries}, "1 for the token itself",
                          [](Index, Index, Index lag) { return lag == 0 ? 1.0 : 0.0; });
    return composer.let("channel_filters" + suffix, filters + own,
                        "[channel, lag]: what a token gives to one so many places later");
}

/// [channel, query, key]: the filter's number of the distance, 0 where the key comes later or is hidden.
Expression map_of_filters(Composer& composer, const Expression& filters, const Expression& is_read) {
    const Index n = composer.plan.queries;
    const Expression of_pairs = from_row(split_rows(filters, channels_of_values(composer.plan)), n, n,
                                         [](Index i, Index j) { return std::max<Index>(i - j, 0); });
    return choose(is_read, of_pairs, 0);
}

/// The map of all filters, each behind the gate that the one before goes through.
Expression write_maps_in_turn(Composer& composer, const Expression& first, const Expression& units,
                              const Expression& is_read) {
    Expression maps = map_of_filters(composer, first, is_read);
    for (Index number = 2; number <= filters_in_turn(composer.plan); ++number) {
        const std::string suffix = suffix_of_filter(number);
        const Expression gate = composer.let(
            "between_gate" + suffix, composer.projected_by_heads(composer.key_tokens, "W_between" + suffix),
            "what the filter before is multiplied by");
        const Expression behind = map_of_filters(
            composer, write_channel_filters(composer, filters_of_network(composer, units, suffix), suffix),
            is_read);
        const Expression before = composer.let("maps_before" + suffix, as_channels(composer, gate) * maps,
                                               "the filters before, and the gate between");
        maps = product(behind, before);
    }
    return maps;
}

/// Each channel is convolved with filters that are as long as the text; gates open what goes in, what comes
/// out, and what lies between two.
Expression define_long_convolution(Composer& composer) {
    const Plan& plan = composer.plan;
    const std::string& kind = filter_kind(plan);
    std::optional<Expression> units;
    if (kind == "network")
        units = write_lag_units(composer);
    const Expression filters = write_channel_filters(composer,
                                                     units ? filters_of_network(composer, *units, {})
                                                     : kind == "states" ? write_filters_of_states(composer)
                                                                        : write_filters_of_matrix(composer),
                                                     {});
    const Expression is_read = composer.pairs_where(
        "is_read", "this token and those before, where they may meet",
        [](Index query, Index key) { return key <= query; }, "j <= i");
    Expression maps = units ? write_maps_in_turn(composer, filters, *units, is_read)
                            : map_of_filters(composer, filters, is_read);
    if (convolution_has_gates(plan))
        maps = as_channels(composer, composer.query) * maps * transposed(as_channels(composer, composer.key));
    maps = composer.let("channel_maps", maps, "[channel, query, key]: the map of each channel");
    write_mean_of_channels(composer, maps);
    return write_mixed_channels(composer, maps, composer.value);
}

DeclaredStage declared_further_filters(Index number) {
    return made_stage(
        "channel_filters" + suffix_of_filter(number), "Filters " + std::to_string(number),
        {"of each channel, behind those before and a gate"},
        {.colours_of = "channel_filters", .lights = "weights", .is_of_features = true, .has_features = true});
}

void check_long_convolution(const Plan& plan) {
    require_one_sequence(plan, "long_convolution", "a filter lies along the tokens of one sequence");
    refuse_turned_vectors(plan, "long_convolution", "no query meets a key, and gates are not turned");
    if (convolution_has_gates(plan))
        require_value_width(plan, "long_convolution algorithm", "queries and keys", plan.head_query_width(),
                            ", which are their gates");
    if (filters_in_turn(plan) > 1 && (filter_kind(plan) != "network" || !convolution_has_gates(plan)))
        throw Error({"long_convolution algorithm", "algorithm/order",
                     "2 where a filter is made of states or has no gates",
                     std::to_string(filters_in_turn(plan) + 1)});
}

}  // namespace

AlgorithmComponent declare_algorithms_long_convolution() {
    AlgorithmComponent component;
    component.meaning =
        "o_ic = q_ic Σ_{j ≤ i} h_c(i − j) k_jc v_jc: each channel c is convolved with a filter as long as "
        "the text, between two gates or without them. h(t) = 2 Re Σ C (e^(Δ A) − 1) / A e^(t Δ A), states "
        "that turn and fade (S4D, Gu et al. 2022), or a network of sines of t under a closing window (Hyena, "
        "Poli et al. 2023), or C Āᵗ B̄ of a matrix A (S4, Gu, Goel and Ré 2022), and D more at t = 0; the "
        "weights shown are the mean over the channels";
    component.options = {
        word_option(
            "filter", "Filter", {"states", "network", "matrix"},
            "What the filter is made from: states of a linear system, each by itself (S4D); a small network "
            "that is asked for each distance (Hyena); or states that change one another by a matrix A (S4)."),
        flag_option("gates", "Gates", true,
                    "Whether keys multiply what goes into the filter and queries what comes out of it, "
                    "feature by feature. Without them the map is the same for every text."),
        count_option("states", "States", 4, logarithmic_range(1, 256),
                     "How many complex states each channel has, of which the imaginary parts of A begin with "
                     "0, π, 2π, ..., or how many real ones that a matrix couples. Not of a network."),
        count_option("order", "Order", 2, {2, 4},
                     "How many gates there are: one more than filters, which lie one behind another with a "
                     "gate between each two. Above 2 only of a network with gates."),
        count_option("length", "Longest text L", 16, logarithmic_range(2, 65536),
                     "The length that the network’s waves and windows are spread over. Only of a network."),
        count_option(
            "bands", "Waves", 8, logarithmic_range(1, 256),
            "How many waves of the distance the network gets, each as cosine and sine. Only of a network."),
        count_option("hidden", "Hidden units", 16, logarithmic_range(1, 1024),
                     "How many sines each of the two hidden layers has. Only of a network."),
        number_option("frequency", "Frequency of the sines", 1.0, logarithmic_range(0.1, 100),
                      "What the hidden layers multiply by before the sine: the larger, the rougher the "
                      "filter. Only of a network.")};
    component.known_parameters = {
        {"filter_step", "[h d_v]", "logarithm of Δ, the time from token to token"},
        {"filter_rates", "[h d_v, states]", "logarithm of the rate at which each state fades"},
        {"filter_turns", "[h d_v, states]", "is added to 0, π, 2π, ..., how fast each state turns"},
        {"C_real", "[h d_v, states]", "what reads the states; its real parts where they turn"},
        {"C_imaginary", "[h d_v, states]", "imaginary parts of what reads the states"},
        {"W_filter_1", "[1 + 2 bands, hidden]",
         "first layer of the network, over the features of a distance"},
        {"b_filter_1", "[hidden]", "is added before its sine"},
        {"W_filter_2", "[hidden, hidden]", "is the second layer of the network"},
        {"b_filter_2", "[hidden]", "is added before its sine"},
        {"W_filter_out", "[hidden, h d_v]", "makes the number of each channel"},
        {"A_more", "[states, states]",
         "is added to the matrix of HiPPO by which the states change one another"},
        {"filter_own", "[h d_v]", "D, how much more a token has of itself"}};
    for (Index number = 2; number <= 3; ++number) {
        const std::string suffix = suffix_of_filter(number), of = " of filter " + std::to_string(number);
        append(component.known_parameters,
               {{"W_filter_out" + suffix, "[hidden, h d_v]", "makes the number of each channel" + of},
                {"filter_own" + suffix, "[h d_v]", "D" + of + ", how much more a token has of itself"},
                {"W_between" + suffix, "[d, h d_v]", "makes the gate in front" + of}});
    }
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index channels = channels_of_values(plan);
        const Index states = filter_states(plan);
        if (filter_kind(plan) == "matrix") {
            list.add("filter_step", {channels}, -1.0);
            list.add("A_more", {states, states}, 0.0);
            list.add("C_real", {channels, states});
        } else if (filter_kind(plan) == "states") {
            list.add("filter_step", {channels}, -1.0);
            list.add("filter_rates", {channels, states}, std::log(0.5));
            list.add("filter_turns", {channels, states}, 0.0);
            list.add("C_real", {channels, states});
            list.add("C_imaginary", {channels, states});
        } else {
            const Index hidden = filter_hidden(plan);
            list.add_with_bias("W_filter_1", {1 + 2 * filter_bands(plan), hidden});
            list.add_with_bias("W_filter_2", {hidden, hidden});
            list.add("W_filter_out", {hidden, channels});
            for (Index number = 2; number <= filters_in_turn(plan); ++number) {
                const std::string suffix = suffix_of_filter(number);
                list.add("W_filter_out" + suffix, {hidden, channels});
                list.add("filter_own" + suffix, {channels}, 0.0);
                list.add("W_between" + suffix, {plan.tokens.key_width, channels});
            }
        }
        list.add("filter_own", {channels}, 0.0);
    };
    component.check = check_long_convolution;
    component.changes_context = always;
    // The channels of all heads, and so no map for each head.
    component.stages = [](const Plan& plan, StageList& list) {
        for (Index number = 1; number <= filters_in_turn(plan); ++number)
            list.add("channel_filters" + suffix_of_filter(number), {Axis::feature, Axis::key},
                     {channels_of_values(plan), plan.keys});
    };
    component.declared_stages = {
        made_stage("channel_filters", "Filters",
                   {"of each channel: what a token gives to one so many places later"},
                   {.lights = "weights", .is_of_features = true, .has_features = true}),
        declared_further_filters(2), declared_further_filters(3),
        declared_mean_of_channels({{"channel_filters"}, {"query", "and"}, keys_of("key", "and")},
                                  "at each\ndistance, mean\n→"),
        declared_mixed_channels("channel_filters")};
    component.define = define_long_convolution;
    return component;
}

}  // namespace headlight
