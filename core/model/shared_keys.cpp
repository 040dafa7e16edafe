#include "core/model/shared_keys.h"

#include "core/attention/component.h"
#include "core/attention/spec_words.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <string_view>

namespace headlight {

namespace {

constexpr const char* sharing_keys = "share keys and values";

/// What makes keys and values of token vectors: a place that is added to these, a product, a bias, and the
/// gain of a key's norm.
constexpr std::string_view key_parameters[] = {"E_pos", "W_k", "b_k", "g_k", "W_v", "b_v"};

bool makes_keys(std::string_view parameter) {
    return std::ranges::find(key_parameters, parameter) != std::end(key_parameters);
}

/// "[8, 8]", or "none".
std::string shape_of_parameter(const nn::GraphAttention& layer, std::string_view name) {
    const auto found = std::ranges::find(layer.parameters(), name, &ParameterInfo::name);
    return found == layer.parameters().end() ? "none" : to_string(found->shape);
}

}  // namespace

void require_earlier_keys(const SharedKeys& shared, std::size_t layer, const std::string& what,
                          const std::string& where) {
    if (!shared[layer])
        return;
    const Index maker = *shared[layer];
    const std::string got = std::to_string(maker + 1);
    if (layer == 0)
        throw Error({what, where, "keys and values of its own: no layer is before the first", got});
    if (maker < 0 || maker >= static_cast<Index>(layer))
        throw Error({what, where,
                     "the number of an earlier layer, 1" + (layer > 1 ? " to " + std::to_string(layer) : ""),
                     got});
    if (const auto made_by = shared[static_cast<std::size_t>(maker)])
        throw Error({what, where,
                     "a layer with keys and values of its own, such as " + std::to_string(*made_by + 1) +
                         ", whose keys and values layer " + got + " has",
                     got});
}

void require_same_keys(const nn::GraphAttention& layer, const nn::GraphAttention& made_by,
                       const std::string& maker) {
    const auto refuse = [](const std::string& where, const std::string& expected, const std::string& got) {
        throw Error({sharing_keys, where, expected, got});
    };
    for (const char* name : {"W_k", "W_v"})
        for (const nn::GraphAttention* each : {&layer, &made_by})
            if (shape_of_parameter(*each, name) == "none")
                refuse(name, "a mechanism that projects token vectors to keys by W_k and to values by W_v",
                       each == &layer ? "none" : "none in " + maker);
    const AttentionSpec its = complete_spec(layer.spec()), theirs = complete_spec(made_by.spec());
    if (its.position != theirs.position) {
        const bool is_other_word = its.position.type != theirs.position.type;
        refuse("position",
               to_word(theirs.position.type) + (is_other_word ? "" : " with the same options") + ", as in " +
                   maker,
               to_word(its.position.type) + (is_other_word ? "" : " with others"));
    }
    if (its.heads.kv_count() != theirs.heads.kv_count())
        refuse("heads",
               std::to_string(theirs.heads.kv_count()) + (theirs.heads.kv_count() == 1 ? " head" : " heads") +
                   " of keys and values, as in " + maker,
               std::to_string(its.heads.kv_count()));
    if (its.score.vector_norm != theirs.score.vector_norm)
        refuse("score.vector_norm", to_word(theirs.score.vector_norm) + ", as in " + maker,
               to_word(its.score.vector_norm));
    for (const std::string_view name : key_parameters)
        if (const std::string own = shape_of_parameter(layer, name),
            shared = shape_of_parameter(made_by, name);
            own != shared)
            refuse(std::string(name), shared + ", as in " + maker, own);
}

std::shared_ptr<const nn::GraphAttention> with_keys_of_another(const nn::GraphAttention& layer,
                                                               SitePlace place, Index width, Index longest) {
    AttentionSpec spec = layer.spec();
    // Key tokens beside those of the queries are what the word `cross` is for: plan, program and trace have
    // them. Masks and places compare numbers of tokens, which are those of one sequence here as well.
    spec.source.type = SourceType::cross;
    for_each_component(spec, [&](const auto& component) {
        const char* reason = component.reads_one_sequence ? component.reads_one_sequence(spec) : nullptr;
        if (reason)
            throw Error({sharing_keys, "",
                         std::string("attention that is the same between two sequences: ") + reason,
                         component.word});
    });
    return std::make_shared<const nn::GraphAttention>(
        spec, nn::GraphSite{.width = width,
                            .queries = longest,
                            .keys = longest,
                            .has_separate_queries = place != SitePlace::encoder,
                            .is_one_sequence = true});
}

nn::NamedWeights weights_of_keys(const nn::NamedWeights& weights) {
    nn::NamedWeights found;
    for (const auto& [name, weight] : weights)
        if (makes_keys(name))
            found.set(name, weight);
    return found;
}

}  // namespace headlight
