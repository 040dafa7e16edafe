#include "core/attention/options.h"
#include "tests/oracle/head_numbers.h"
#include "tests/reference/channel_mixers.h"
#include "tests/reference/gated_states.h"
#include "tests/reference/linear_attention.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/low_rank.h"
#include "tests/reference/slot_memory.h"
#include "tests/reference/solved_values.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

using reference::Head;
using reference::HeadResult;
using reference::Matrix;
using reference::Row;

HeadResult gated_linear(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::StateRule rule;
    rule.scale = scale_of_queries(parts, head);
    if (options.flag("forgets")) {
        rule.gates = token_sigmoids(parts, head, "alpha", head.k.cols);
        for (Number& gate : rule.gates.values)
            gate = std::pow(gate, 1 / options.number("temperature"));
    }
    return state_attention(head, rule);
}

HeadResult state_space(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::StateRule rule;
    rule.scale = scale_of_queries(parts, head);
    rule.gates = feature_gates(parts, head, "dt");
    if (options.flag("discretize"))
        rule.strengths = token_softplus(parts, head, "dt").values;
    return state_attention(head, rule);
}

HeadResult deltaformer(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    Row beta(head.k.rows, Number(1));
    if (options.word("strength") == "learned")
        beta = token_sigmoids(parts, head, "beta").values;
    return reference::deltaformer(head, beta, options.word("similarity") == "keys");
}

Matrix through_silu(Matrix x) {
    for (Number& each : x.values)
        each *= reference::sigmoid(each);
    return x;
}

HeadResult retention(const OracleParts& parts, const Head& given_head) {
    const Options& options = parts.spec.algorithm.options;
    Head head = given_head;
    if (options.word("silu") != "none") {
        head.q = through_silu(head.q);
        head.k = through_silu(head.k);
    }
    if (options.word("silu") == "all")
        head.v = through_silu(head.v);
    const Number given = options.number("gamma");
    const auto number = static_cast<Number>(head.number);
    Number gamma = given > 0 ? given : 1 - std::pow(Number(2), -5 - number);
    if (given == 0 && options.word("decays") == "layer") {
        const Index layers = options.count("layers"), layer = options.count("layer");
        const Number share =
            layers > 1 ? static_cast<Number>(layer - 1) / static_cast<Number>(layers - 1) : 0;
        const Number slope =
            std::pow(Number(2), -8 * (number + 1) / static_cast<Number>(parts.spec.heads.count()));
        gamma = std::exp(-slope * (1 - share + Number(1e-5)));
    }
    return reference::retention(head, gamma, scale_of_queries(parts, head), options.flag("normalize"));
}

HeadResult linformer(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    if (options.word("pooling") == "learned")
        return reference::linformer(head, parts.parameters.matrix("E"), parts.parameters.matrix("F"));
    const auto real = static_cast<std::size_t>(std::ranges::count(head.allowed.front(), true));
    const std::size_t rank = std::min(count_option(parts, "rank"), real);
    const Matrix means = reference::segment_means(rank, real);
    Matrix pooling(rank, head.k.rows);
    for (std::size_t r = 0; r < rank; ++r)
        for (std::size_t c = 0; c < real; ++c)
            pooling(r, c) = means(r, c);
    return reference::linformer(head, pooling, pooling);
}

HeadResult rwkv4(const OracleParts& parts, const Head& head) {
    Row decay = numbers_of_head(parts.parameters.row("time_decay"), head.number, head.v.cols);
    for (Number& each : decay)
        each = std::exp(each);
    return reference::rwkv4(head, decay,
                            numbers_of_head(parts.parameters.row("time_first"), head.number, head.v.cols));
}

HeadResult attention_free(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::string& kind = options.word("biases");
    if (kind == "simple")
        return reference::attention_free(head, {});
    const Index window = options.count("window");
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
    return reference::rebased(head, affine("q"), affine("k"), parts.spec.algorithm.options.flag("normalize"));
}

HeadResult mlstm(const OracleParts& parts, const Head& head) {
    return reference::mlstm(head, token_numbers(parts, head, "i").values,
                            token_numbers(parts, head, "f").values);
}

HeadResult rwkv6(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::size_t d = head.k.cols;
    const auto of_head = [&](const char* name) {
        return numbers_of_head(parts.parameters.row(name), head.number, d);
    };
    Matrix w(head.k.rows, d);
    if (options.word("decay") == "token")
        w = token_numbers(parts, head, "w", d);
    else
        for (std::size_t t = 0; t < w.rows; ++t)
            std::ranges::copy(of_head("b_w"), w.values.begin() + static_cast<std::ptrdiff_t>(t * d));
    for (Number& each : w.values)
        each = std::exp(-std::exp(each));
    return reference::rwkv6(head, w, of_head("u"), scale_of_queries(parts, head));
}

HeadResult log_linear(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::LogLinear rule;
    rule.gates.assign(head.k.rows, 1);
    if (options.flag("forgets"))
        rule.gates = token_gates(parts, head, "dt").values;
    if (options.flag("discretize"))
        rule.strengths = token_softplus(parts, head, "dt").values;
    // Queries are the tokens that the keys are.
    rule.of_levels = token_softplus(parts, head, "lambda", count_option(parts, "levels"));
    rule.scale = scale_of_queries(parts, head);
    return reference::log_linear(head, rule);
}

/// How much of each token each slot gets: the sigmoids of the largest numbers over their sum, else 0.
Matrix slot_routes(const OracleParts& parts, const Head& head) {
    const auto slots = count_option(parts, "slots");
    const auto active = count_option(parts, "active");
    Matrix routes = token_numbers(parts, head, "route", slots);
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
    const Matrix raw = token_numbers(parts, head, "slots", count_option(parts, "slots"));
    const reference::NewestKeys newest{count_option(parts, "window"), options.flag("overlap")};
    if (options.word("writing") == "shares")
        return slot_memory(head, reference::shares_so_far(raw), newest);
    reference::FadingWrites slots{raw, raw};
    const bool is_routed = options.word("writing") == "routed";
    const Matrix routes = is_routed ? slot_routes(parts, head) : Matrix();
    for (std::size_t i = 0; i < raw.values.size(); ++i) {
        const Number route = is_routed ? routes.values[i] : 1;
        const Number gate =
            std::pow(reference::sigmoid(raw.values[i]), route / options.number("temperature"));
        slots.gates.values[i] = gate;
        slots.writes.values[i] = 1 - gate;
    }
    return slot_memory(head, slots, newest);
}

HeadResult cyclic_slots(const OracleParts& parts, const Head& head) {
    reference::CyclicSlots circle;
    circle.slots = 2 * count_option(parts, "waves") + 1;
    circle.steps = token_sigmoids(parts, head, "clock").values;
    circle.strengths = token_sigmoids(parts, head, "beta").values;
    circle.gates.assign(head.k.rows, 1);
    if (parts.spec.algorithm.options.flag("forgets"))
        circle.gates = token_gates(parts, head, "dt").values;
    circle.mixes = rows_of_head(parts.parameters.matrix("R_slots"), head.number, circle.slots);
    for (std::size_t slot = 0; slot < circle.slots; ++slot)
        circle.mixes(slot, slot) += 1;
    return reference::cyclic_slots(head, circle);
}

HeadResult hgrn2(const OracleParts& parts, const Head& given) {
    const Options& options = parts.spec.algorithm.options;
    Head head = given;
    reference::StateRule rule;
    rule.scale = scale_of_queries(parts, head);
    if (options.word("writing") == "shares") {
        const reference::FadingWrites shares = reference::shares_so_far(given.k);
        rule.gates = shares.gates;
        head.k = shares.writes;
    } else {
        const Number least = options.number("lower_bound");
        rule.gates = given.k;
        for (std::size_t i = 0; i < given.k.values.size(); ++i) {
            rule.gates.values[i] = least + (1 - least) * reference::sigmoid(given.k.values[i]);
            head.k.values[i] = (1 - least) * reference::sigmoid(-given.k.values[i]);
        }
    }
    return state_attention(head, rule);
}

/// ln softplus(x), also where the softplus is too small for a number.
Number log_of_softplus(Number x) { return x < -60 ? x : std::log(reference::softplus(x)); }

HeadResult rodimus(const OracleParts& parts, const Head& given) {
    Head head = given;
    head.k = reference::unit_rows(given.k);
    reference::StateRule rule;
    rule.scale = scale_of_queries(parts, head);
    rule.gates = token_sigmoids(parts, head, "temperature", head.k.cols);
    const Matrix raw = token_numbers(parts, head, "selection", head.k.cols);
    for (std::size_t i = 0; i < raw.values.size(); ++i) {
        const Number tau = rule.gates.values[i];
        head.k.values[i] *= std::exp(tau * log_of_softplus(raw.values[i]));
        rule.gates.values[i] = std::exp(-tau * reference::softplus(raw.values[i]));
    }
    return state_attention(head, rule);
}

/// Null for an algorithm that is not here.
HeadAnswer recurrent_answer(AlgorithmType type) {
    switch (type) {
    case AlgorithmType::linear:
        return [](const OracleParts&, const Head& head) { return reference::linear_attention(head); };
    case AlgorithmType::performer:
        return [](const OracleParts& parts, const Head& head) {
            return reference::performer(head, count_option(parts, "features"), parts.seed);
        };
    case AlgorithmType::cosformer:
        return [](const OracleParts& parts, const Head& head) {
            const std::size_t longest = std::max({count_option(parts, "length"), parts.queries, parts.keys});
            return reference::cosformer(head, static_cast<Number>(longest));
        };
    case AlgorithmType::based:
        return [](const OracleParts&, const Head& head) { return reference::based(head); };
    case AlgorithmType::rebased:
        return rebased;
    case AlgorithmType::power:
        return [](const OracleParts& parts, const Head& head) {
            return reference::power(head, std::stoi(parts.spec.algorithm.options.word("power")));
        };
    case AlgorithmType::higher_order:
        return [](const OracleParts& parts, const Head& head) {
            return reference::higher_order(head, scale_of_queries(parts, head));
        };
    case AlgorithmType::deltaformer:
        return deltaformer;
    case AlgorithmType::lucid:
        return [](const OracleParts&, const Head& head) { return reference::lucid(head); };
    case AlgorithmType::laser:
        return [](const OracleParts&, const Head& head) { return reference::laser(head); };
    case AlgorithmType::efficient:
        return [](const OracleParts&, const Head& head) { return reference::efficient(head); };
    case AlgorithmType::linformer:
        return linformer;
    case AlgorithmType::nystrom:
        return [](const OracleParts& parts, const Head& head) {
            return reference::nystrom(head, count_option(parts, "landmarks"),
                                      count_option(parts, "iterations"));
        };
    case AlgorithmType::retention:
        return retention;
    case AlgorithmType::gated_linear:
        return gated_linear;
    case AlgorithmType::state_space:
        return state_space;
    case AlgorithmType::rwkv4:
        return rwkv4;
    case AlgorithmType::mlstm:
        return mlstm;
    case AlgorithmType::rwkv6:
        return rwkv6;
    case AlgorithmType::log_linear:
        return log_linear;
    case AlgorithmType::mesa:
        return [](const OracleParts& parts, const Head& head) {
            return reference::mesa(head, parts.spec.algorithm.options.number("lambda"));
        };
    case AlgorithmType::attention_free:
        return attention_free;
    case AlgorithmType::gated_slots:
        return gated_slots;
    case AlgorithmType::cyclic_slots:
        return cyclic_slots;
    case AlgorithmType::hgrn2:
        return hgrn2;
    case AlgorithmType::rodimus:
        return rodimus;
    default:
        return nullptr;
    }
}

}  // namespace

void add_recurrent_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    if (const auto answer = recurrent_answer(parts.spec.algorithm.type))
        setting.algorithm = [=](const Head& head) { return answer(parts, head); };
}

}  // namespace headlight
