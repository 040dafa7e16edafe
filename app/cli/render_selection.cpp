#include "app/cli/render_selection.h"

#include "app/cli/figure_flags.h"
#include "app/cli/hidden_keys.h"
#include "core/figure/called_tokens.h"
#include "core/figure/site_layers.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/io/session_words.h"
#include "core/map/site_name.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace headlight {
namespace {

/// `typed` if it is among `names`.
std::string one_of(const Arguments& arguments, const std::string& option, const std::string& typed,
                   const std::set<std::string>& names) {
    if (names.contains(typed))
        return typed;
    const std::vector<std::string> list(names.begin(), names.end());
    if (list == std::vector<std::string>{""})
        arguments.refuse(option, "none: the file has one kind of maps, which has no name",
                         '"' + excerpt(typed) + '"');
    arguments.refuse(option, list.empty() ? "a file that has some" : list_of(list),
                     quoted_with_hint(typed, list));
}

/// `typed` if it is a site of the file. Who sees their names is told how these count layers.
std::string site_named(const Arguments& arguments, const std::string& typed,
                       const std::set<std::string>& sites) {
    if (sites.contains(typed))
        return typed;
    std::vector<std::string> list(sites.begin(), sites.end());
    std::erase(list, std::string());  // of a mechanism on its own
    if (list.empty())
        arguments.refuse("--site", "a file with sites, as of a model", "one without");
    std::ranges::sort(list, {}, [](const std::string& site) {  // "layer.6" before "layer.11"
        const SiteName name = parse_site(site);
        return std::pair(name.kind, name.layer.value_or(-1));
    });
    const bool have_layers =
        std::ranges::any_of(list, [](const std::string& site) { return parse_site(site).layer.has_value(); });
    arguments.refuse("--site",
                     list_of(list) + (have_layers ? " (names count layers from 0, --layer from 1)" : ""),
                     quoted_with_hint(typed, list));
}

/// Some options take a number or a word: who misspells one is told them.
template <class Value>
void require_number_or(const Arguments& arguments, const std::string& option, Index most) {
    const auto typed = arguments.value(option);
    if (typed && typed->find_first_not_of("0123456789") != std::string::npos)
        arguments.refuse(option,
                         "a number from 1 to " + std::to_string(most) + ", " + list_of(spellings<Value>()),
                         quoted_with_hint(*typed, spellings<Value>()));
}

/// The number from 0 of a query that was named or counted from 1.
Index query_named(const Arguments& arguments, const TokenLabels& tokens, Index queries) {
    const std::string typed = *arguments.value("--query");
    if (const auto query = token_called(typed, tokens.query, queries))
        return *query;
    const TokenMismatch mismatch = token_mismatch(typed, tokens.query, queries);
    arguments.refuse("--query", mismatch.expected, mismatch.got);
}

/// "1, 7, 12": layers as the model numbers them, from 1.
std::string numbers_of_layers(const std::map<Index, std::string>& layers) {
    std::string text;
    for (const auto& [layer, site] : layers)
        text += (text.empty() ? "" : ", ") + std::to_string(layer + 1);
    return text;
}

/// The site of --layer; where several kinds have layers, of the kind that --site names, or of the first one.
std::string site_of_layer(const Arguments& arguments, const Trace& trace) {
    const SiteLayers all = site_layers(trace);
    if (all.by_kind.empty())
        arguments.refuse("--layer", "a file with layers", "one without");
    std::set<std::string> kinds;
    for (const auto& [kind, sites] : all.by_kind)
        kinds.insert(kind);
    const auto site = arguments.value("--site");
    const auto& layers = all.by_kind.at(site ? one_of(arguments, "--site", *site, kinds) : all.first_kind);
    if (pooled_layers(arguments))
        return layers.begin()->second;
    require_number_or<MapReduction>(arguments, "--layer", layers.rbegin()->first + 1);
    const Index layer = arguments.integer("--layer", 1, 1, layers.rbegin()->first + 1) - 1;
    const auto found = layers.find(layer);
    if (found == layers.end())
        arguments.refuse("--layer", "a layer that was recorded, " + numbers_of_layers(layers),
                         std::to_string(layer + 1));
    return found->second;
}

/// The axes to draw, which the stage must have.
DealtAxes with_axes(const Arguments& arguments, DealtAxes axes, const Trace& trace,
                    const Selection& selection) {
    const Stage* stage = trace.find(selection.stage, selection.site);
    std::set<std::string> names;
    for (const Axis axis : stage ? stage->axes : std::vector<Axis>())
        names.emplace(to_string(axis));
    if (const auto rows = arguments.value("--rows"); rows && !is_slice_word(*rows))
        axes.rows = one_of(arguments, "--rows", *rows, names);
    if (const auto columns = arguments.value("--columns"); columns && !is_slice_word(*columns))
        axes.columns = one_of(arguments, "--columns", *columns, names);
    return axes;
}

/// Where nothing can be pooled, the picture would be that of one head.
void require_poolable(const Arguments& arguments, const ViewSettings& view) {
    const char* option = pooled_layers(arguments) ? "--layer" : "--head";
    if (const auto mismatch = pooling_mismatch(view))
        arguments.refuse(std::string(option) + ' ' + *arguments.value(option), mismatch->expected,
                         mismatch->got);
}

/// From 0.
Index head_named(const Arguments& arguments, Index selected, Index heads) {
    if (const auto typed = arguments.value("--head"); heads == 1 && typed && *typed != "1")
        arguments.refuse("--head", "only head 1: there is no other", '"' + excerpt(*typed) + '"');
    require_number_or<PooledHeads>(arguments, "--head", heads);
    return arguments.integer("--head", std::min(selected + 1, heads), 1, heads) - 1;
}

}  // namespace

std::optional<PooledHeads> pooled_heads(const Arguments& arguments) {
    const auto typed = arguments.value("--head");
    return typed ? value_of<PooledHeads>(*typed) : std::nullopt;
}

std::optional<MapReduction> pooled_layers(const Arguments& arguments) {
    const auto typed = arguments.value("--layer");
    return typed ? value_of<MapReduction>(*typed) : std::nullopt;
}

ViewSettings with_selection(const Arguments& arguments, ViewSettings view, const Trace& trace,
                            bool is_of_one_head) {
    std::set<std::string> sites, names;
    for (const Stage& stage : trace.stages())
        sites.insert(stage.site);
    if (arguments.has("--layer") && !is_of_one_head)
        view.selection.site = site_of_layer(arguments, trace);
    else if (const auto site = arguments.value("--site"))
        view.selection.site = site_named(arguments, *site, sites);
    else if (!sites.contains(view.selection.site) && !trace.stages().empty())
        view.selection.site = trace.stages().front().site;
    Index heads = 1, queries = 1, keys = 1;
    for (const Stage& stage : trace.stages()) {
        if (stage.site != view.selection.site)
            continue;
        names.insert(stage.name);
        heads = std::max(heads, stage.extent(Axis::head));
        queries = std::max(queries, stage.extent(Axis::query));
        keys = std::max(keys, stage.extent(Axis::key));
    }
    if (const auto stage = arguments.value("--stage"))
        view.selection.stage = one_of(arguments, "--stage", *stage, names);
    if ((pooled_heads(arguments) || pooled_layers(arguments)) && view.options.panels.empty())
        require_poolable(arguments, view);
    if (!is_of_one_head && !pooled_heads(arguments))
        view.selection.head = head_named(arguments, view.selection.head, heads);
    if (arguments.has("--query"))
        view.selection.query = query_named(arguments, trace.tokens_at(view.selection.site), queries);
    const KeyAxis axis{&trace.tokens_at(view.selection.site), keys};
    if (arguments.has("--hide"))
        view.hidden_keys = hidden_keys(arguments, {&axis, 1}).front();
    view.axes = with_axes(arguments, view.axes, trace, view.selection);
    if (arguments.has("--step"))
        view.decoding_step = arguments.integer("--step", 1, 1, queries) - 1;
    return view;
}

}  // namespace headlight
