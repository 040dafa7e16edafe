#include "core/attention/parameters.h"

#include "core/attention/random.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double largest_parameter = 0x1p30;  // elements: 8 GiB of doubles

std::string shown(const Shape& shape) { return shape == Shape{1} ? "one number" : to_string(shape); }

/// One number is one number, whichever rank a file gives it.
bool fits(const Shape& expected, const Tensor& tensor) {
    return tensor.shape() == expected || (expected == Shape{1} && tensor.size() == 1);
}

/// Collects the parameters of a spec and checks each that is given.
class Collection {
public:
    explicit Collection(const std::map<std::string, Tensor>& given) : given_(given) {}

    void add(const std::string& name, Shape shape, const std::string& meaning) {
        double elements = 1;
        for (const Index extent : shape)
            elements *= static_cast<double>(extent);
        if (elements > largest_parameter)
            throw Error({"parameter", name, "at most 8 GiB", "shape " + to_string(shape)});
        const auto found = given_.find(name);
        if (found != given_.end() && !fits(shape, found->second))
            throw Error(
                {"parameter", name, "shape " + shown(shape), "shape " + to_string(found->second.shape())});
        parameters_.push_back({name, std::move(shape), meaning});
    }

    std::vector<ParameterInfo> take() { return std::move(parameters_); }

private:
    const std::map<std::string, Tensor>& given_;
    std::vector<ParameterInfo> parameters_;
};

void add_score_parameters(Collection& collection, const AttentionSpec& spec, const Widths& widths) {
    const Index query_width = widths.query / spec.heads.count();
    const Index key_width = widths.key / spec.heads.count();
    const Index d_a = widths.attention;
    switch (spec.score.type) {
    case ScoreType::dot:
    case ScoreType::scaled_dot:
    case ScoreType::self_similarity:
        return;
    case ScoreType::learned_scale:
        collection.add("g", {1}, "scales every score");
        return;
    case ScoreType::general:
        collection.add("W", {query_width, key_width}, "pairs query features with key features");
        return;
    case ScoreType::concat:
        collection.add("W", {query_width + key_width, d_a},
                       "projects a query followed by a key to their energy");
        break;
    case ScoreType::additive:
        collection.add("W_1", {query_width, d_a}, "projects a query to its part of the energy");
        collection.add("W_2", {key_width, d_a}, "projects a key to its part of the energy");
        break;
    }
    if (spec.score.bias)
        collection.add("b", {d_a}, "is added to the energy before its activation");
    collection.add("v", {d_a}, "weighs the energy to one score");
}

}  // namespace

std::vector<ParameterInfo> required_parameters(const AttentionSpec& spec, const TokenDimensions& dimensions,
                                               const std::map<std::string, Tensor>& given) {
    const Widths widths = widths_of(spec, dimensions, given);
    const bool bias = spec.projections.bias;
    Collection collection(given);
    if (projects_queries(spec)) {
        collection.add("W_q", {dimensions.query_width, widths.query}, "projects token vectors to queries");
        if (bias)
            collection.add("b_q", {widths.query}, "is added to every query");
        collection.add("W_k", {dimensions.key_width, widths.key}, "projects token vectors to keys");
        if (bias)
            collection.add("b_k", {widths.key}, "is added to every key");
    }
    if (projects_values(spec)) {
        collection.add("W_v", {dimensions.value_width, widths.value}, "projects token vectors to values");
        if (bias)
            collection.add("b_v", {widths.value}, "is added to every value");
    }
    add_score_parameters(collection, spec, widths);
    if (projects_output(spec)) {
        collection.add("W_o", {widths.value, widths.output},
                       "projects the heads' contexts, side by side, to the output");
        if (bias)
            collection.add("b_o", {widths.output}, "is added to every output");
    }
    return collection.take();
}

const std::vector<ParameterInfo>& known_parameters() {
    static const std::vector<ParameterInfo> known{
        {"W_q", {}, "[d_q, D]: projects token vectors to queries; D is projections.dimension, else d_q"},
        {"b_q", {}, "[D]: is added to every query"},
        {"W_k", {}, "[d_k, D]: projects token vectors to keys"},
        {"b_k", {}, "[D]: is added to every key"},
        {"W_v",
         {},
         "[d_v, D_v]: projects token vectors to values; D_v is D unless a given W_v or W_o says otherwise"},
        {"b_v", {}, "[D_v]: is added to every value"},
        {"W",
         {},
         "general: [d_q, d_k] per head, pairs query features with key features; concat: [d_q + d_k, d_a] per "
         "head, query rows first; shared by the heads"},
        {"W_1", {}, "[d_q, d_a] per head, shared by the heads: projects a query to its part of the energy"},
        {"W_2", {}, "[d_k, d_a] per head, shared by the heads: projects a key to its part of the energy"},
        {"b", {}, "[d_a]: is added to the energy before its activation"},
        {"v",
         {},
         "[d_a]: weighs the energy to one score; d_a is score.attention_dimension, else d_q per head"},
        {"g", {}, "one number: scales every score"},
        {"W_o",
         {},
         "[D_v, d_out]: projects the heads' contexts, side by side, to the output; d_out is d_q unless a "
         "given "
         "W_o says otherwise"},
        {"b_o", {}, "[d_out]: is added to every output"},
    };
    return known;
}

std::map<std::string, Tensor> resolve_parameters(const std::vector<ParameterInfo>& required,
                                                 const std::map<std::string, Tensor>& given,
                                                 std::uint64_t seed) {
    std::map<std::string, Tensor> resolved = given;
    for (const ParameterInfo& info : required) {
        if (resolved.contains(info.name))
            continue;
        if (info.name == "g") {
            resolved.emplace(info.name, Tensor(info.shape, 1.0));
            continue;
        }
        Tensor drawn(info.shape);
        const auto first = static_cast<double>(info.shape.front());
        const double bound = drawn.rank() == 2 ? std::sqrt(6.0 / (first + static_cast<double>(drawn.cols())))
                                               : 1.0 / std::sqrt(first);
        const std::uint64_t stream = substream(seed, info.name);
        std::uint64_t index = 0;
        for (double& value : drawn.values())
            value = bound * (2 * uniform(substream(stream, index++)) - 1);
        resolved.emplace(info.name, std::move(drawn));
    }
    return resolved;
}

}  // namespace headlight
