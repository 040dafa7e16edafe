#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/channel_mixers.h"
#include "tests/reference/corrected_states.h"
#include "tests/reference/delta_states.h"
#include "tests/reference/gated_states.h"
#include "tests/reference/learned_memory.h"
#include "tests/reference/learner_steps.h"
#include "tests/reference/linear_attention.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/low_rank.h"
#include "tests/reference/slot_memory.h"
#include "tests/reference/solved_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {
namespace {

using reference::Head;
using reference::HeadResult;
using reference::Matrix;
using reference::Row;

/// 1 / sqrt(d) where queries are scaled.
Number scale_of(const Options& options, const Head& head) {
    return option<bool>(options, "scaled") ? 1 / std::sqrt(static_cast<Number>(head.q.cols)) : 1;
}

/// exp(-exp(A_log) softplus(y W + b)): of `width` gates for each head, each repeated to d features.
Matrix exponential_gates(const OracleParts& parts, const Head& head, const std::string& suffix,
                         std::size_t width) {
    const Number rate = option<bool>(parts.spec.algorithm.options, "forgets")
                            ? std::exp(parts.parameters.row("A_log")[head.number])
                            : 0;
    const Matrix raw = head_projection(head, parts.parameters.matrix("W_" + suffix),
                                       parts.parameters.row("b_" + suffix), width);
    Matrix gates(head.k.rows, head.k.cols);
    for (std::size_t j = 0; j < gates.rows; ++j)
        for (std::size_t c = 0; c < gates.cols; ++c)
            gates(j, c) = std::exp(-rate * reference::softplus(raw(j, width == 1 ? 0 : c)));
    return gates;
}

HeadResult gated_linear(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::StateRule rule;
    rule.scale = scale_of(options, head);
    if (option<bool>(options, "forgets")) {
        rule.gates = head_projection(head, parts.parameters.matrix("W_alpha"),
                                     parts.parameters.row("b_alpha"), head.k.cols);
        for (Number& gate : rule.gates.values)
            gate = std::pow(reference::sigmoid(gate), 1 / option<double>(options, "temperature"));
    }
    return state_attention(head, rule);
}

HeadResult state_space(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::StateRule rule;
    rule.scale = scale_of(options, head);
    rule.gates = exponential_gates(parts, head, "dt", 1);
    if (option<bool>(options, "discretize")) {
        rule.strengths =
            head_projection(head, parts.parameters.matrix("W_dt"), parts.parameters.row("b_dt"), 1).values;
        for (Number& step : rule.strengths)
            step = reference::softplus(step);
    }
    return state_attention(head, rule);
}

HeadResult delta_rule(const OracleParts& parts, const Head& given) {
    const Options& options = parts.spec.algorithm.options;
    Head head = given;
    head.k = reference::unit_rows(given.k);
    reference::StateRule rule;
    rule.is_delta = true;
    rule.scale = scale_of(options, head);
    rule.strengths =
        head_projection(head, parts.parameters.matrix("W_beta"), parts.parameters.row("b_beta"), 1).values;
    for (Number& strength : rule.strengths)
        strength = reference::sigmoid(strength) * (option<bool>(options, "overshoot") ? 2 : 1);
    if (parts.spec.algorithm.type == AlgorithmType::gated_delta)
        rule.gates = exponential_gates(parts, head, "dt", 1);
    if (parts.spec.algorithm.type == AlgorithmType::kimi_delta)
        rule.gates = exponential_gates(parts, head, "alpha", head.k.cols);
    return state_attention(head, rule);
}

/// What exponential_gates() gives where the state forgets; otherwise there are none.
Matrix gates_of_state(const OracleParts& parts, const Head& head, const std::string& suffix,
                      std::size_t width) {
    const bool forgets = option<bool>(parts.spec.algorithm.options, "forgets");
    return forgets ? exponential_gates(parts, head, suffix, width) : Matrix();
}

/// Sigmoids of `width` numbers for each head and token, times `most`.
Matrix sigmoids(const OracleParts& parts, const Head& head, const std::string& suffix, std::size_t width,
                Number most = 1) {
    Matrix result = head_projection(head, parts.parameters.matrix("W_" + suffix),
                                    parts.parameters.row("b_" + suffix), width);
    for (Number& each : result.values)
        each = most * reference::sigmoid(each);
    return result;
}

Number largest_strength(const Options& options) { return option<bool>(options, "overshoot") ? 2 : 1; }

HeadResult rwkv7(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::size_t d = head.k.cols;
    const auto of_head = [&](const std::string& name) {
        const Row all = parts.parameters.row(name);
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(head.number * d);
        return Row(first, first + static_cast<std::ptrdiff_t>(d));
    };
    reference::Rwkv7 rule;
    rule.w = sigmoids(parts, head, "w", d);
    for (Number& each : rule.w.values)
        each = std::exp(-std::exp(Number(-0.5)) * each);
    rule.a = sigmoids(parts, head, "a", d);
    rule.k_k = of_head("k_k");
    rule.k_a = of_head("k_a");
    if (option<bool>(options, "bonus"))
        rule.r_k = of_head("r_k");
    rule.scale = scale_of(options, head);
    return reference::rwkv7(head, rule);
}

HeadResult delta_product(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto count = static_cast<std::size_t>(option<Index>(options, "writes"));
    const std::size_t further = count - 1;
    reference::DeltaProduct rule;
    rule.gates = gates_of_state(parts, head, "dt", 1);
    rule.keys = {head.k};
    rule.values = {head.v};
    const auto add = [&](const std::string& name, std::size_t width, std::vector<Matrix>& to) {
        const Row none(further * width * (head.number + 1), Number(0));
        const Matrix all = head_projection(head, parts.parameters.matrix(name), none, further * width);
        for (std::size_t write = 0; write < further; ++write) {
            Matrix each(all.rows, width);
            for (std::size_t t = 0; t < all.rows; ++t)
                for (std::size_t c = 0; c < width; ++c)
                    each(t, c) = all(t, write * width + c);
            to.push_back(each);
        }
    };
    if (further > 0) {
        add("W_k_writes", head.k.cols, rule.keys);
        add("W_v_writes", head.v.cols, rule.values);
    }
    rule.strengths = sigmoids(parts, head, "beta", count, largest_strength(options));
    rule.scale = scale_of(options, head);
    return reference::delta_product(head, rule);
}

HeadResult gated_delta_2(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    return reference::gated_delta_2(
        head, {.gates = gates_of_state(parts, head, "alpha", head.k.cols),
               .erases = sigmoids(parts, head, "erase", head.k.cols, largest_strength(options)),
               .writes = sigmoids(parts, head, "write", head.v.cols),
               .scale = scale_of(options, head)});
}

HeadResult comba(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    return reference::comba(head,
                            {.gates = gates_of_state(parts, head, "dt", 1),
                             .strengths = sigmoids(parts, head, "beta", 1).values,
                             .feedback = reference::sigmoid(parts.parameters.row("feedback")[head.number]),
                             .correction = parts.parameters.row("correction")[head.number],
                             .scale = scale_of(options, head),
                             .asks_first = option<std::string>(options, "asks") == "before"});
}

HeadResult longhorn(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    return reference::longhorn(head, sigmoids(parts, head, "beta", 1).values,
                               option<std::string>(options, "erasure") == "diagonal",
                               scale_of(options, head));
}

HeadResult precond_delta(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto numbers = [&](const std::string& suffix) {
        return head_projection(head, parts.parameters.matrix("W_" + suffix),
                               parts.parameters.row("b_" + suffix), 1)
            .values;
    };
    const auto gates = [&](const std::string& suffix, const std::string& rate) {
        Row result = numbers(suffix);
        for (Number& each : result)
            each = std::exp(-std::exp(parts.parameters.row(rate)[head.number]) * reference::softplus(each));
        return result;
    };
    reference::PreconditionedDelta rule;
    rule.strengths = sigmoids(parts, head, "beta", 1).values;
    rule.curvature_strengths = sigmoids(parts, head, "curvature", 1).values;
    if (option<bool>(options, "forgets")) {
        if (option<std::string>(options, "gates") == "feature")
            rule.feature_gates = exponential_gates(parts, head, "alpha", head.k.cols);
        else
            rule.gates = gates("dt", "A_log");
        rule.curvature_gates = gates("dt_curvature", "A_log_curvature");
    }
    rule.center = parts.parameters.row("curvature_center")[head.number];
    rule.range = option<double>(options, "range");
    rule.scale = scale_of(options, head);
    return reference::preconditioned_delta(head, rule);
}

HeadResult gated_oja(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    Matrix gates;
    if (option<bool>(options, "forgets")) {
        gates = sigmoids(parts, head, "value_gates", head.v.cols);
        for (Number& each : gates.values)
            each = std::pow(each, 1 / option<double>(options, "temperature"));
    }
    return reference::gated_oja(head, gates, sigmoids(parts, head, "beta", 1).values,
                                scale_of(options, head));
}

HeadResult gated_kalma(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::Kalma rule;
    rule.strengths = sigmoids(parts, head, "beta", 1).values;
    rule.ridge = option<double>(options, "ridge");
    rule.scale = scale_of(options, head);
    for (Number& each : rule.strengths)
        each += Number(1e-6);
    const Matrix gates = gates_of_state(parts, head, "dt", 1);
    for (std::size_t t = 0; t < gates.rows; ++t)
        rule.gates.push_back(gates(t, 0));
    if (option<bool>(options, "mixed"))
        rule.mixing = sigmoids(parts, head, "sharpening", 1).values;
    return reference::gated_kalma(head, rule);
}

HeadResult deltaformer(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    Row beta(head.k.rows, Number(1));
    if (option<std::string>(options, "strength") == "learned") {
        beta = head_projection(head, parts.parameters.matrix("W_beta"), parts.parameters.row("b_beta"), 1)
                   .values;
        for (Number& strength : beta)
            strength = reference::sigmoid(strength);
    }
    return reference::deltaformer(head, beta, option<std::string>(options, "similarity") == "keys");
}

Matrix through_silu(Matrix x) {
    for (Number& each : x.values)
        each *= reference::sigmoid(each);
    return x;
}

HeadResult retention(const OracleParts& parts, const Head& given_head) {
    const Options& options = parts.spec.algorithm.options;
    Head head = given_head;
    if (option<std::string>(options, "silu") != "none") {
        head.q = through_silu(head.q);
        head.k = through_silu(head.k);
    }
    if (option<std::string>(options, "silu") == "all")
        head.v = through_silu(head.v);
    const Number given = option<double>(options, "gamma");
    const auto number = static_cast<Number>(head.number);
    Number gamma = given > 0 ? given : 1 - std::pow(Number(2), -5 - number);
    if (given == 0 && option<std::string>(options, "decays") == "layer") {
        const Index layers = option<Index>(options, "layers"), layer = option<Index>(options, "layer");
        const Number share =
            layers > 1 ? static_cast<Number>(layer - 1) / static_cast<Number>(layers - 1) : 0;
        const Number slope =
            std::pow(Number(2), -8 * (number + 1) / static_cast<Number>(parts.spec.heads.count()));
        gamma = std::exp(-slope * (1 - share + Number(1e-5)));
    }
    return reference::retention(head, gamma, scale_of(options, head), option<bool>(options, "normalize"));
}

HeadResult linformer(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    if (option<std::string>(options, "pooling") == "learned")
        return reference::linformer(head, parts.parameters.matrix("E"), parts.parameters.matrix("F"));
    const auto real = static_cast<std::size_t>(std::ranges::count(head.allowed.front(), true));
    const std::size_t rank = std::min(static_cast<std::size_t>(option<Index>(options, "rank")), real);
    const Matrix means = reference::segment_means(rank, real);
    Matrix pooling(rank, head.k.rows);
    for (std::size_t r = 0; r < rank; ++r)
        for (std::size_t c = 0; c < real; ++c)
            pooling(r, c) = means(r, c);
    return reference::linformer(head, pooling, pooling);
}

HeadResult rwkv4(const OracleParts& parts, const Head& head) {
    Row decay, bonus;
    for (std::size_t c = 0; c < head.v.cols; ++c) {
        const std::size_t at = head.number * head.v.cols + c;
        decay.push_back(std::exp(parts.parameters.row("time_decay")[at]));
        bonus.push_back(parts.parameters.row("time_first")[at]);
    }
    return reference::rwkv4(head, decay, bonus);
}

HeadResult attention_free(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::string& kind = option<std::string>(options, "biases");
    if (kind == "simple")
        return reference::attention_free(head, {});
    const Index window = option<Index>(options, "window");
    if (kind == "conv") {
        const Row of_distances = parts.parameters.matrix("distance_biases").row(head.number);
        Matrix by_distance(head.q.rows, head.k.rows);
        for (std::size_t i = 0; i < by_distance.rows; ++i)
            for (std::size_t j = 0; j < by_distance.cols; ++j) {
                const Index place = static_cast<Index>(j) - static_cast<Index>(i) + window - 1;
                if (place >= 0 && place < std::ssize(of_distances))
                    by_distance(i, j) = of_distances[static_cast<std::size_t>(place)];
            }
        return reference::attention_free(head, by_distance);
    }
    Matrix biases = parts.parameters.matrix("position_biases");
    for (std::size_t i = 0; i < biases.rows; ++i)
        for (std::size_t j = 0; j < biases.cols && kind == "local"; ++j)
            if (std::abs(static_cast<Index>(i) - static_cast<Index>(j)) >= window)
                biases(i, j) = 0;
    return reference::attention_free(head, biases);
}

HeadResult rebased(const OracleParts& parts, const Head& head) {
    const auto affine = [&](const std::string& suffix) {
        return reference::Affine{parts.parameters.row("gamma_" + suffix),
                                 parts.parameters.row("beta_" + suffix)};
    };
    return reference::rebased(head, affine("q"), affine("k"),
                              option<bool>(parts.spec.algorithm.options, "normalize"));
}

HeadResult mlstm(const OracleParts& parts, const Head& head) {
    const auto raw = [&](const std::string& name) {
        return head_projection(head, parts.parameters.matrix("W_" + name), parts.parameters.row("b_" + name),
                               1)
            .values;
    };
    return reference::mlstm(head, raw("i"), raw("f"));
}

HeadResult rwkv6(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::size_t d = head.k.cols, first = head.number * d;
    const Row b = parts.parameters.row("b_w"), u = parts.parameters.row("u");
    Matrix w(head.k.rows, d);
    if (option<std::string>(options, "decay") == "token")
        w = head_projection(head, parts.parameters.matrix("W_w"), b, d);
    else
        for (std::size_t t = 0; t < w.rows; ++t)
            for (std::size_t c = 0; c < d; ++c)
                w(t, c) = b[first + c];
    for (Number& each : w.values)
        each = std::exp(-std::exp(each));
    Row of_head;
    for (std::size_t c = 0; c < d; ++c)
        of_head.push_back(u[first + c]);
    return reference::rwkv6(head, w, of_head, scale_of(options, head));
}

HeadResult log_linear(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const OracleParameters& given = parts.parameters;
    const bool forgets = option<bool>(options, "forgets"), discretizes = option<bool>(options, "discretize");
    reference::LogLinear rule;
    rule.gates.assign(head.k.rows, 1);
    if (forgets || discretizes) {
        Row steps = head_projection(head, given.matrix("W_dt"), given.row("b_dt"), 1).values;
        std::ranges::transform(steps, steps.begin(), reference::softplus);
        if (forgets)
            std::ranges::transform(steps, rule.gates.begin(),
                                   [rate = std::exp(given.row("A_log")[head.number])](Number step) {
                                       return std::exp(-rate * step);
                                   });
        if (discretizes)
            rule.strengths = steps;
    }
    // Queries are the tokens that the keys are.
    rule.of_levels = head_projection(head, given.matrix("W_lambda"), given.row("b_lambda"),
                                     static_cast<std::size_t>(option<Index>(options, "levels")));
    for (Number& each : rule.of_levels.values)
        each = reference::softplus(each);
    rule.scale = scale_of(options, head);
    return reference::log_linear(head, rule);
}

/// How much of each token each slot gets: the sigmoids of the largest numbers over their sum, else 0.
Matrix slot_routes(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto slots = static_cast<std::size_t>(option<Index>(options, "slots"));
    const auto active = static_cast<std::size_t>(option<Index>(options, "active"));
    Matrix routes =
        head_projection(head, parts.parameters.matrix("W_route"), parts.parameters.row("b_route"), slots);
    for (std::size_t t = 0; t < routes.rows; ++t) {
        const Row numbers = routes.row(t);
        const Number largest = *std::ranges::max_element(numbers);
        Number sum = 0;
        for (std::size_t s = 0; s < slots; ++s) {
            std::size_t before = 0;
            for (std::size_t other = 0; other < slots; ++other)
                before += numbers[other] > numbers[s] || (numbers[other] == numbers[s] && other < s);
            // Over the largest sigmoid, which may be too small for a number.
            routes(t, s) = before < active
                               ? std::exp(reference::softplus(-largest) - reference::softplus(-numbers[s]))
                               : 0;
            sum += routes(t, s);
        }
        for (std::size_t s = 0; s < slots; ++s)
            routes(t, s) /= sum;
    }
    return routes;
}

HeadResult gated_slots(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const Matrix raw =
        head_projection(head, parts.parameters.matrix("W_slots"), parts.parameters.row("b_slots"),
                        static_cast<std::size_t>(option<Index>(options, "slots")));
    if (option<std::string>(options, "writing") == "shares")
        return slot_memory(head, reference::shares_so_far(raw));
    reference::FadingWrites slots{raw, raw};
    const bool is_routed = option<std::string>(options, "writing") == "routed";
    const Matrix routes = is_routed ? slot_routes(parts, head) : Matrix();
    for (std::size_t i = 0; i < raw.values.size(); ++i) {
        const Number route = is_routed ? routes.values[i] : 1;
        const Number gate =
            std::pow(reference::sigmoid(raw.values[i]), route / option<double>(options, "temperature"));
        slots.gates.values[i] = gate;
        slots.writes.values[i] = 1 - gate;
    }
    return slot_memory(head, slots);
}

HeadResult hgrn2(const OracleParts& parts, const Head& given) {
    const Options& options = parts.spec.algorithm.options;
    Head head = given;
    reference::StateRule rule;
    rule.scale = scale_of(options, head);
    if (option<std::string>(options, "writing") == "shares") {
        const reference::FadingWrites shares = reference::shares_so_far(given.k);
        rule.gates = shares.gates;
        head.k = shares.writes;
    } else {
        const Number least = option<double>(options, "lower_bound");
        rule.gates = given.k;
        for (std::size_t i = 0; i < given.k.values.size(); ++i) {
            rule.gates.values[i] = least + (1 - least) * reference::sigmoid(given.k.values[i]);
            head.k.values[i] = (1 - least) * reference::sigmoid(-given.k.values[i]);
        }
    }
    return state_attention(head, rule);
}

/// The numbers of one head, of a parameter in which the heads lie side by side.
Row part_of_head(const Row& all, std::size_t head, std::size_t heads) {
    const std::size_t width = all.size() / heads;
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(head * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
}

/// A learner with a norm behind it or a hidden layer, ttt.
HeadResult nonlinear_learner(const OracleParts& parts, const Head& given, const Row& sizes) {
    const Options& options = parts.spec.algorithm.options;
    const auto heads = static_cast<std::size_t>(parts.spec.heads.count());
    Head head = given;
    reference::LearnerSteps rule;
    const auto of_head = [&](const std::string& name) {
        return part_of_head(parts.parameters.row(name), head.number, heads);
    };
    const auto layer = [&](const std::string& suffix) {
        const Matrix all = parts.parameters.matrix("W_learner" + suffix);
        return reference::Layer{Matrix(all.rows / heads, all.cols, of_head("W_learner" + suffix)),
                                of_head("b_learner" + suffix)};
    };
    if (option<std::string>(options, "learner") == "mlp")
        rule.layers = {layer("_1"), layer("_2")};
    else
        rule.layers = {layer("")};
    if (option<bool>(options, "norm")) {
        rule.gamma = of_head("gamma_learner");
        rule.beta = of_head("beta_learner");
    } else {
        head.k = reference::unit_rows(given.k);
    }
    rule.sizes = sizes;
    rule.batch = static_cast<std::size_t>(option<Index>(options, "batch"));
    rule.is_mean = option<bool>(options, "mean");
    rule.scale = scale_of(options, head);
    return reference::learner_steps(head, rule);
}

/// A memory that is a linear model: titans, ttt.
HeadResult learned_memory(const OracleParts& parts, const Head& given) {
    const Options& options = parts.spec.algorithm.options;
    Head head = given;
    head.k = reference::unit_rows(given.k);
    const auto shares = [&](const std::string& suffix) { return sigmoids(parts, head, suffix, 1).values; };
    if (parts.spec.algorithm.type == AlgorithmType::ttt &&
        (option<bool>(options, "norm") || option<std::string>(options, "learner") == "mlp"))
        return nonlinear_learner(parts, given, shares("beta"));
    if (parts.spec.algorithm.type == AlgorithmType::ttt)
        return reference::memory_by_batches(head, shares("beta"),
                                            static_cast<std::size_t>(option<Index>(options, "batch")),
                                            option<bool>(options, "mean"), scale_of(options, head));
    reference::Momentum rule{shares("beta"), {}, {}};
    if (option<bool>(options, "momentum"))
        rule.momenta = shares("eta");
    if (option<bool>(options, "forgets"))
        rule.losses = shares("forget");
    return reference::memory_with_momentum(head, rule, scale_of(options, head));
}

HeadResult answer(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto count = [&](const char* name) {
        return static_cast<std::size_t>(option<Index>(options, name));
    };
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::linear:
        return reference::linear_attention(head);
    case AlgorithmType::performer:
        return reference::performer(head, count("features"), parts.seed);
    case AlgorithmType::cosformer:
        return reference::cosformer(
            head, static_cast<Number>(std::max({count("length"), parts.queries, parts.keys})));
    case AlgorithmType::based:
        return reference::based(head);
    case AlgorithmType::rebased:
        return rebased(parts, head);
    case AlgorithmType::power:
        return reference::power(head, std::stoi(option<std::string>(options, "power")));
    case AlgorithmType::higher_order:
        return reference::higher_order(head, scale_of(options, head));
    case AlgorithmType::deltaformer:
        return deltaformer(parts, head);
    case AlgorithmType::lucid:
        return reference::lucid(head);
    case AlgorithmType::laser:
        return reference::laser(head);
    case AlgorithmType::efficient:
        return reference::efficient(head);
    case AlgorithmType::linformer:
        return linformer(parts, head);
    case AlgorithmType::nystrom:
        return reference::nystrom(head, count("landmarks"), count("iterations"));
    case AlgorithmType::retention:
        return retention(parts, head);
    case AlgorithmType::gated_linear:
        return gated_linear(parts, head);
    case AlgorithmType::state_space:
        return state_space(parts, head);
    case AlgorithmType::rwkv4:
        return rwkv4(parts, head);
    case AlgorithmType::mlstm:
        return mlstm(parts, head);
    case AlgorithmType::rwkv6:
        return rwkv6(parts, head);
    case AlgorithmType::log_linear:
        return log_linear(parts, head);
    case AlgorithmType::rwkv7:
        return rwkv7(parts, head);
    case AlgorithmType::delta_product:
        return delta_product(parts, head);
    case AlgorithmType::gated_delta_2:
        return gated_delta_2(parts, head);
    case AlgorithmType::comba:
        return comba(parts, head);
    case AlgorithmType::longhorn:
        return longhorn(parts, head);
    case AlgorithmType::precond_delta:
        return precond_delta(parts, head);
    case AlgorithmType::gated_oja:
        return gated_oja(parts, head);
    case AlgorithmType::gated_kalma:
        return gated_kalma(parts, head);
    case AlgorithmType::mesa:
        return reference::mesa(head, option<double>(options, "lambda"));
    case AlgorithmType::attention_free:
        return attention_free(parts, head);
    case AlgorithmType::gated_slots:
        return gated_slots(parts, head);
    case AlgorithmType::hgrn2:
        return hgrn2(parts, head);
    case AlgorithmType::titans:
    case AlgorithmType::ttt:
        return learned_memory(parts, head);
    default:
        return delta_rule(parts, head);
    }
}

bool is_linear_family(AlgorithmType type) {
    using enum AlgorithmType;
    switch (type) {
    case linear:
    case performer:
    case cosformer:
    case based:
    case rebased:
    case power:
    case higher_order:
    case deltaformer:
    case lucid:
    case laser:
    case efficient:
    case linformer:
    case nystrom:
    case retention:
    case gated_linear:
    case state_space:
    case rwkv4:
    case mlstm:
    case rwkv6:
    case log_linear:
    case delta:
    case gated_delta:
    case kimi_delta:
    case rwkv7:
    case delta_product:
    case gated_delta_2:
    case comba:
    case longhorn:
    case precond_delta:
    case gated_oja:
    case gated_kalma:
    case mesa:
    case attention_free:
    case gated_slots:
    case hgrn2:
    case titans:
    case ttt:
        return true;
    default:
        return false;
    }
}

/// Queries and keys of heads that share them: those of all of these heads, side by side.
void widen_heads(const OracleParts& parts, reference::Setting& setting, Index key_heads) {
    const std::size_t sharing =
        setting.heads / static_cast<std::size_t>(std::gcd(key_heads, static_cast<Index>(setting.heads)));
    setting.algorithm_of_all_heads = [parts, sharing](const std::vector<Head>& heads) {
        std::vector<HeadResult> results;
        for (const Head& head : heads) {
            Head wide = head;
            const std::size_t d = head.q.cols, first = head.number / sharing * sharing;
            wide.q = Matrix(head.q.rows, sharing * d);
            wide.k = Matrix(head.k.rows, sharing * d);
            for (std::size_t part = 0; part < sharing; ++part)
                for (std::size_t c = 0; c < d; ++c) {
                    for (std::size_t i = 0; i < head.q.rows; ++i)
                        wide.q(i, part * d + c) = heads[first + part].q(i, c);
                    for (std::size_t j = 0; j < head.k.rows; ++j)
                        wide.k(j, part * d + c) = heads[first + part].k(j, c);
                }
            results.push_back(answer(parts, wide));
        }
        return results;
    };
}

}  // namespace

void add_recurrent_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    if (is_linear_family(parts.spec.algorithm.type))
        setting.algorithm = [parts](const Head& head) { return answer(parts, head); };
    if (parts.spec.algorithm.type == AlgorithmType::comba)
        if (const Index key_heads = option<Index>(parts.spec.algorithm.options, "key_heads"); key_heads > 0)
            widen_heads(parts, setting, key_heads);
}

}  // namespace headlight
