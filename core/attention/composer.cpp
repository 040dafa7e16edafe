#include "core/attention/composer.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

Extent extent_of(const Shape& shape) {
    if (shape.size() == 2)
        return {0, shape.front(), shape.back()};
    return {0, 1, element_count(shape)};
}

}  // namespace

Composer::Composer(const Plan& given_plan, Program& given_program)
    : plan(given_plan), program(given_program), heads(plan.heads > 1 ? plan.heads : 0), query_tokens(0),
      key_tokens(0), plain_query(0), query(0), key(0), value(0),
      may_meet([&given_plan](Index row, Index column) { return given_plan.allowed.allowed(row, column); }) {}

Expression Composer::parameter(const std::string& name) {
    const auto info = std::ranges::find(plan.parameters, name, &ParameterInfo::name);
    GivenTensor given{name, GivenTensor::Kind::parameter, {}, {}, {}};
    if (info != plan.parameters.end())
        given.note = info->meaning;
    if (program.is_outline && info != plan.parameters.end() && !plan.inputs.parameters.contains(name)) {
        given.extent = extent_of(info->shape);
        given.numbers = {given.extent.size(), [](Index) { return 0.0; }};  // undrawn_plan()
    } else {
        const Tensor& tensor = plan.parameter(name);
        given.extent = extent_of(tensor.shape());
        given.numbers = std::vector<double>(tensor.values().begin(), tensor.values().end());
    }
    return program.give(std::move(given));
}

Expression Composer::parameter_of_heads(const std::string& name) {
    return split_heads(parameter(name), heads);
}

Expression Composer::matrices_of_heads(const std::string& name) { return split_rows(parameter(name), heads); }

Expression Composer::constant(const std::string& name, const Extent& extent, const std::string& note,
                              std::function<double(Index, Index, Index)> number) {
    if (program.is_outline)
        return of_places(name, extent, note, [](Place) { return 0.0; });
    return of_places(name, extent, note,
                     [number = std::move(number)](Place at) { return number(at.head, at.row, at.column); });
}

Expression Composer::zeros(const std::string& name, const Extent& extent, const std::string& note) {
    return of_places(name, extent, note, [](Place) { return 0.0; });
}

Expression Composer::truth(const std::string& name, const Extent& extent, const std::string& note,
                           std::function<bool(Index, Index)> holds, const std::string& rule) {
    if (program.is_outline)
        return of_places(
            name, extent, note, [](Place) { return 0.0; }, true, rule);
    return of_places(
        name, extent, note,
        [holds = std::move(holds)](Place at) { return holds(at.row, at.column) ? 1.0 : 0.0; }, true, rule);
}

Expression Composer::pairs_where(const std::string& name, const std::string& note,
                                 std::function<bool(Index, Index)> holds, const std::string& rule) {
    return truth(
        name, {0, plan.queries, plan.keys}, note,
        [may_meet = may_meet, holds = std::move(holds)](Index row, Index column) {
            return holds(row, column) && may_meet(row, column);
        },
        rule.empty() || !is_forbidden_anywhere() ? rule : rule + " and allowed");
}

Expression Composer::of_places(const std::string& name, const Extent& extent, const std::string& note,
                               std::function<double(Place)> number, bool is_truth, const std::string& rule) {
    const auto at = [extent, number = std::move(number)](Index i) {
        const Index row = i / extent.columns;
        return number({row / extent.rows, row % extent.rows, i % extent.columns});
    };
    return program.give(
        {name, GivenTensor::Kind::constant, extent, {extent.size(), at}, note, is_truth, rule});
}

Expression Composer::query_places() {
    return constant("query_places", {0, plan.queries, 1}, "places of the queries, from 0",
                    [](Index, Index row, Index) { return static_cast<double>(row); });
}

Expression Composer::key_places() {
    return constant("key_places", {0, 1, plan.keys}, "places of the keys, from 0",
                    [](Index, Index, Index column) { return static_cast<double>(column); });
}

Expression Composer::allowed() {
    return truth_of_places("allowed", {0, plan.queries, plan.keys}, "pairs that the mask lets meet",
                           [may_meet = may_meet](Place at) { return may_meet(at.row, at.column); });
}

Expression Composer::where_allowed(const Expression& x, const Expression& otherwise) {
    return is_forbidden_anywhere() ? choose(allowed(), x, otherwise) : x;
}

Expression Composer::projected(const Expression& x, const std::string& matrix, const std::string& bias) {
    const Expression result = product(x, parameter(matrix));
    return bias.empty() ? result : result + parameter(bias);
}

Expression Composer::of_query_heads(const Expression& x) const {
    if (plan.kv_heads == plan.heads || plan.heads == 1)
        return x;
    if (plan.kv_heads == 1)
        return x;  // meets every head
    std::vector<Index> read;
    for (Index head = 0; head < plan.heads; ++head)
        read.push_back(plan.kv_head(head));
    return take_heads(x, read);
}

std::string numbered(const char* name, Index number) {
    std::string text = name;
    text += std::to_string(number);
    return text;
}

Expression direction_of(Composer& composer, const std::string& name, const Expression& x,
                        const std::string& result) {
    // Squares of numbers beside 1 neither overflow nor vanish.
    const Expression scaled = composer.let(name + "_over_largest", over_largest(x));
    const Expression length = composer.let(name + "_length", root_of(sum_of_columns(scaled * scaled)),
                                           "their lengths: 1 or more, and 0 of zeros");
    return composer.let(result.empty() ? name + "_direction" : result, scaled / not_zero(length),
                        "each row divided by its length");
}

Expression activated(Activation activation, const Expression& x) {
    switch (activation) {
    case Activation::tanh:
        return tanh_of(x);
    case Activation::relu:
        return relu_of(x);
    case Activation::sigmoid:
        return sigmoid_of(x);
    case Activation::identity:
        return x;
    }
    return x;
}

Expression softmax_of(Composer& composer, const std::string& name, const Expression& scores) {
    const LetPart let = [&](const char* part, const Expression& value) {
        return composer.let(name + "_" + part, value);
    };
    return composer.let(name, softmax_along(AlongAxis::columns, scores, let), "softmax of each row");
}

Expression softmax_of_open(Composer& composer, const std::string& name, const Expression& scores) {
    return softmax_of(composer, name, composer.open_or_forbidden(scores));
}

}  // namespace headlight
