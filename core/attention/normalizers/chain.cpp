#include "core/attention/component.h"
#include "core/attention/defined_rows.h"

namespace headlight {
namespace {

constexpr double learned_coupling = -20;  // the smallest: neighbours would hardly ever be chosen together

bool coupling_is_learned(const Plan& plan) {
    return plan.normalizer().number("coupling") == learned_coupling;
}

/// What a key hears from a neighbour with log odds h: ln of (e^a + e^(b + h)) over (e^c + e^(d + h)), where a
/// pair of the neighbour and the key counts a, b, c, d for 0 1, 1 1, 0 0, 1 0. It is written from what is
/// left of it at large |h|, so that no sum overflows and no difference loses its digits.
using Message = std::function<Expression(const Expression& odds)>;

/// Both chosen count J, everything else 0.
Message coupled(double coupling) {
    return [=](const Expression& odds) {
        const Expression is_chosen = is_at_least(odds, 0), size = absolute_of(odds);
        return choose(is_chosen, coupling, 0) + softplus_of(choose(is_chosen, -coupling, coupling) - size) -
               softplus_of(-size);
    };
}

Message of_four(const Expression& a, const Expression& b, const Expression& c, const Expression& d) {
    return [=](const Expression& odds) {
        const Expression is_chosen = is_at_least(odds, 0), size = absolute_of(odds);
        return choose(is_chosen, b - d, a - c) + softplus_of(choose(is_chosen, a - b, b - a) - size) -
               softplus_of(choose(is_chosen, c - d, d - c) - size);
    };
}

/// From the key before, and from the key after.
struct Messages {
    Message forwards, backwards;
};

Messages messages_of(DefinedRows& rows) {
    if (!coupling_is_learned(rows.composer.plan))
        return {coupled(rows.number("coupling")), coupled(rows.number("coupling"))};
    const Expression pairs = rows.composer.parameter("T_chain");
    const auto count = [&](const char* name, Index left, Index right) {
        return rows.let(name, some_columns(some_rows(pairs, {left}), {right}));
    };
    const Expression neither = count("neither_chosen", 0, 0), right = count("right_chosen", 0, 1),
                     left = count("left_chosen", 1, 0), both = count("both_chosen", 1, 1);
    return {of_four(right, both, neither, left), of_four(left, both, neither, right)};
}

Expression define_chain(DefinedRows& rows) {
    const Index m = rows.composer.plan.keys;
    const Messages messages = messages_of(rows);
    const Expression s = rows.open_scores(), start = rows.zero_column();
    const auto is_open = [&](Index key) {
        return is_above(some_columns(rows.scores, {key}), minus_infinity());
    };
    const auto passed = [&](const char* name, const Message& message_of, Index from, Index to,
                            const Expression& so_far) {
        const Expression odds =
            rows.let(numbered(name, from + 1) + "_odds", some_columns(s, {from}) + so_far);
        // A key that may not be looked at parts the chain.
        const Expression message = message_of(odds);
        return rows.let(numbered(name, from + 1),
                        rows.has_forbidden ? choose(both_of(is_open(from), is_open(to)), message, 0)
                                           : message);
    };
    std::vector<Expression> from_left{start}, from_right(static_cast<std::size_t>(m), start);
    for (Index key = 1; key < m; ++key)
        from_left.push_back(passed("forward_", messages.forwards, key - 1, key, from_left.back()));
    for (Index key = m - 1; key-- > 0;)
        from_right[static_cast<std::size_t>(key)] = passed("backward_", messages.backwards, key + 1, key,
                                                           from_right[static_cast<std::size_t>(key + 1)]);
    const Expression left = rows.let("messages_from_left", join_columns(from_left),
                                     "what the keys before say of each key, in log odds");
    const Expression right = rows.let("messages_from_right", join_columns(from_right),
                                      "what the keys after say of each key, in log odds");
    return rows.open_only(sigmoid_of(s + left + right));
}

DeclaredStage stage_of_messages(const std::string& side, const std::string& title) {
    return made_stage("messages_from_" + side, title, {"what they add to the log odds of each key"},
                      {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true});
}

}  // namespace

NormalizerComponent declare_normalizers_chain() {
    NormalizerComponent component;
    component.phrase = "chances of a chain of choices";
    component.meaning =
        "p(z_j = 1) of p(z) ∝ exp(Σ s_j z_j + Σ θ(z_j, z_{j+1})): each key is chosen or not, and neighbours "
        "agree; by messages from both ends (Kim et al. 2017)";
    component.options = {number_option(
        "coupling", "Coupling of neighbours", 1.0, {learned_coupling, 20},
        "What two neighbours that are both chosen add to the score of a choice: above 0 whole stretches are "
        "chosen, below 0 single keys, at 0 each key is a sigmoid of its own score.",
        "four learned numbers")};
    component.known_parameters = {
        {"T_chain", "[2, 2]",
         "what a pair of neighbours counts, row and column 1 being chosen, the left one the row"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (coupling_is_learned(plan))
            list.add("T_chain", {2, 2});
    };
    component.declared_stages = {stage_of_messages("left", "Messages of the keys before"),
                                 stage_of_messages("right", "Messages of the keys after")};
    component.define = define_chain;
    return component;
}

}  // namespace headlight
