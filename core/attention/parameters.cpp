#include "core/attention/parameters.h"
#include "core/tensor/interruption.h"

#include "core/attention/component.h"
#include "core/attention/spec_words.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace headlight {
namespace {

std::string shown(const Shape& shape) { return shape == Shape{1} ? "one number" : to_string(shape); }

bool is_column_as_vector(const Shape& expected, const Tensor& tensor) {
    return expected.size() == 2 && expected[1] == 1 && tensor.shape() == Shape{expected[0]};
}

/// One number is one number, whichever rank a file gives it.
bool fits(const Shape& expected, const Tensor& tensor) {
    return tensor.shape() == expected || is_column_as_vector(expected, tensor) ||
           (expected == Shape{1} && tensor.size() == 1);
}

/// Those that are no component's.
const std::vector<KnownParameter>& common_parameters() {
    static const std::vector<KnownParameter> common{
        {"W_q", "[d_q, D], D being projections.dimension, else d_q", "projects token vectors to queries"},
        {"b_q", "[D]", "is added to every query"},
        {"W_k", "[d_k, D]", "projects token vectors to keys"},
        {"b_k", "[D]", "is added to every key"},
        {"W_v", "[d_v, D_v], D_v being D unless a given W_v or W_o says otherwise",
         "projects token vectors to values"},
        {"b_v", "[D_v]", "is added to every value"},
        {"W", "[d_q, d_k] per head, shared by the heads", "pairs query features with key features"},
        {"W_1", "[d_q, d_a] per head, shared by the heads", "projects a query to its part of the energy"},
        {"W_2", "[d_k, d_a] per head, shared by the heads", "projects a key to its part of the energy"},
        {"b", "[d_a]", "is added to the energy before its activation"},
        {"v", "[d_a], which is score.attention_dimension, else d_q per head",
         "weighs the energy to one score"},
        {"g", "one number", "scales every score"},
        {"g_q", "[d_q] per head, shared by the heads", "scales each feature of a normalised query"},
        {"g_k", "[d_k] per head, shared by the heads", "scales each feature of a normalised key"},
        {"P_scores", "[h, h]",
         "row i mixes the scores of the heads into those of head i, before the softmax"},
        {"P_weights", "[h, h]",
         "row i mixes the weights of the heads into those of head i, after the softmax"},
        {"W_gate", "[d_q, h d_v], or [d_q, h] for a gate per head",
         "projects the queries’ token vectors to the gate"},
        {"b_gate", "[h d_v] or [h]", "is added to the gate before its sigmoid"},
        {"W_o", "[D_v, d_out], d_out being d_q unless a given W_o says otherwise",
         "projects the heads’ contexts, side by side, to the output"},
        {"b_o", "[d_out]", "is added to every output"},
    };
    return common;
}

/// Those of the score concat that are not what their names mean elsewhere.
const std::vector<KnownParameter>& concat_parameters() {
    static const std::vector<KnownParameter> own{
        {"W", "[d_q + d_k, d_a] per head, query rows first, shared by the heads",
         "projects a query followed by a key to their energy"}};
    return own;
}

void add_norm_parameters(ParameterList& list, const Plan& plan) {
    const VectorNorm norm = plan.spec.score.vector_norm;
    if (norm != VectorNorm::layer && norm != VectorNorm::rms)
        return;
    list.add("g_q", {plan.head_query_width()}, 1.0);
    list.add("g_k", {plan.head_key_width()}, 1.0);
}

void add_score_parameters(ParameterList& list, const Plan& plan) {
    const Score& score = plan.spec.score;
    const Index query_width = plan.head_query_width();
    const Index key_width = plan.head_key_width();
    const Index d_a = plan.attention_width;
    switch (score.type) {
    case ScoreType::learned_scale:
        list.add("g", {1}, 1.0);
        return;
    case ScoreType::general:
        list.add("W", {query_width, key_width});
        return;
    case ScoreType::concat:
        list.begin_component(concat_parameters());
        list.add("W", {query_width + key_width, d_a});
        break;
    case ScoreType::additive:
        list.add("W_1", {query_width, d_a});
        list.add("W_2", {key_width, d_a});
        break;
    default:
        return;
    }
    if (score.bias)
        list.add("b", {d_a});
    list.add("v", {d_a});
}

/// Adds those of components, each name once, with the components that have it: "[h]: a bias for each head
/// (alibi)". Where one name means something else in each, all meanings are said: "path: [d, h]: ...; delta:
/// [d, h]: ..."; in front of them, of a name that is no component's, what it means else.
void add_of_components(std::vector<KnownParameter>& list) {
    struct Meaning {
        KnownParameter info;
        std::string components;  ///< empty: all others
    };
    std::map<std::string, std::vector<Meaning>> meanings;
    for (const KnownParameter& info : list)
        meanings[info.name] = {{info, ""}};
    const auto add_own = [&](const std::vector<KnownParameter>& own, const std::string& component) {
        for (const KnownParameter& info : own) {
            auto& said = meanings[info.name];
            if (said.empty())
                list.push_back(info);
            const auto same = std::ranges::find_if(
                said, [&](const Meaning& each) { return described(each.info) == described(info); });
            if (same == said.end())
                said.push_back({info, component});
            else if (!same->components.empty())
                same->components += ", " + component;
        }
    };
    const auto add = [&](const auto& components) {
        for (const auto& component : components)
            add_own(component.known_parameters, component.word);
    };
    add_own(concat_parameters(), to_word(ScoreType::concat));
    add(score_components());
    add(position_components());
    add(selection_components());
    add(normalizer_components());
    add(algorithm_components());
    for (KnownParameter& info : list) {
        const auto& said = meanings[info.name];
        if (said.size() == 1) {
            if (const std::string& components = said.front().components; !components.empty())
                info.meaning += " (" + components + ")";
            continue;
        }
        info.shape.clear();
        info.meaning.clear();
        for (const Meaning& meaning : said) {
            info.meaning += info.meaning.empty() ? "" : "; ";
            info.meaning += meaning.components.empty() ? "" : meaning.components + ": ";
            info.meaning += described(meaning.info);
        }
    }
}

}  // namespace

TokenDimensions dimensions_of(const Inputs& inputs) {
    return {inputs.query.cols(), inputs.key_tokens().cols(), inputs.value_tokens().cols(),
            inputs.query.rows(), inputs.key_tokens().rows()};
}

std::string described(const KnownParameter& parameter) {
    return parameter.shape + (parameter.shape.empty() ? "" : ": ") + parameter.meaning;
}

void ParameterList::add(const std::string& name, Shape shape, std::optional<double> constant) {
    const auto find_in = [&](std::span<const KnownParameter> each) {
        const auto found = std::ranges::find(each, name, &KnownParameter::name);
        return found == each.end() ? nullptr : &*found;
    };
    const KnownParameter* own = find_in(own_);
    const KnownParameter* known = own ? own : find_in(common_parameters());
    if (!known)
        throw std::logic_error("known_parameters of no component of the spec has " + name);
    push(name, std::move(shape), known->meaning, constant);
}

void ParameterList::add_with_bias(const std::string& matrix, const Shape& shape, double bias) {
    add(matrix, shape);
    add("b" + matrix.substr(1), {shape.back()}, bias);
}

void ParameterList::push(const std::string& name, Shape shape, const std::string& meaning,
                         std::optional<double> constant) {
    double bytes = sizeof(double);
    for (const Index extent : shape)
        bytes *= static_cast<double>(extent);
    require_memory("parameter", name, bytes, ": shape " + to_string(shape));
    if (const Tensor* tensor = given(name); tensor && !fits(shape, *tensor))
        throw Error({"parameter", name, "shape " + shown(shape), "shape " + to_string(tensor->shape())});
    parameters_.push_back({name, std::move(shape), meaning, constant});
}

const Tensor* ParameterList::given(const std::string& name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? nullptr : &found->second;
}

bool ParameterList::has(const std::string& name) const {
    return std::ranges::count(parameters_, name, &ParameterInfo::name) > 0;
}

std::vector<ParameterInfo> required_parameters(const AttentionSpec& spec, const TokenDimensions& dimensions,
                                               const std::map<std::string, Tensor>& given) {
    const Plan plan = plan_extents(spec, dimensions, given);
    const bool bias = spec.projections.bias;
    ParameterList list(given);
    if (projects_queries(spec)) {
        list.add("W_q", {dimensions.query_width, plan.query_width});
        if (bias)
            list.add("b_q", {plan.query_width});
        if (spec.heads.sharing != Sharing::query_key && !makes_keys_and_values(spec)) {
            list.add("W_k", {dimensions.key_width, plan.key_width});
            if (bias)
                list.add("b_k", {plan.key_width});
        }
    }
    if (projects_values(spec) && spec.heads.sharing != Sharing::key_value && !makes_keys_and_values(spec)) {
        list.add("W_v", {dimensions.value_width, plan.value_width});
        if (bias)
            list.add("b_v", {plan.value_width});
    }
    add_norm_parameters(list, plan);
    add_score_parameters(list, plan);
    for_each_component(spec, [&](const auto& component) {
        list.begin_component(component.known_parameters);
        if (component.parameters)
            component.parameters(plan, list);
    });
    list.begin_component({});
    if (spec.heads.type == HeadsType::talking) {
        list.add("P_scores", {plan.heads, plan.heads});
        list.add("P_weights", {plan.heads, plan.heads});
    }
    if (spec.heads.gate != Gate::none) {
        const Index width = spec.heads.gate == Gate::headwise ? plan.heads : plan.context_width();
        list.add_with_bias("W_gate", {dimensions.query_width, width});
    }
    if (projects_output(spec)) {
        list.add("W_o", {plan.context_width(), plan.output_width});
        if (bias)
            list.add("b_o", {plan.output_width});
    }
    return list.take();
}

const std::vector<KnownParameter>& known_parameters() {
    static const std::vector<KnownParameter> known = [] {
        std::vector<KnownParameter> list = common_parameters();
        add_of_components(list);
        return list;
    }();
    return known;
}

void make_columns(const std::vector<ParameterInfo>& required, std::map<std::string, Tensor>& given) {
    for (const ParameterInfo& info : required) {
        const auto found = given.find(info.name);
        if (found == given.end() || !is_column_as_vector(info.shape, found->second))
            continue;
        const std::span<const double> numbers = found->second.values();
        found->second = Tensor(info.shape, {numbers.begin(), numbers.end()});
    }
}

std::map<std::string, Tensor> resolve_parameters(const std::vector<ParameterInfo>& required,
                                                 std::map<std::string, Tensor> given, std::uint64_t seed) {
    std::map<std::string, Tensor> resolved = std::move(given);
    for (const ParameterInfo& info : required) {
        if (resolved.contains(info.name))
            continue;
        if (info.constant) {
            resolved.emplace(info.name, Tensor(info.shape, *info.constant));
            continue;
        }
        Tensor drawn(info.shape);
        const auto first = static_cast<double>(info.shape.front());
        const double bound = drawn.rank() == 2 ? std::sqrt(6.0 / (first + static_cast<double>(drawn.cols())))
                                               : 1.0 / std::sqrt(first);
        const std::uint64_t stream = substream(seed, info.name);
        std::uint64_t index = 0;
        for (double& value : drawn.values()) {
            if (index % 4096 == 0)
                Interruption::check();
            value = bound * (2 * uniform(substream(stream, index++)) - 1);
        }
        resolved.emplace(info.name, std::move(drawn));
    }
    return resolved;
}

}  // namespace headlight
