#include "core/figure/stack_columns.h"

#include "core/figure/site_words.h"
#include "core/figure/stage_chain.h"
#include "core/figure/words.h"
#include "core/map/site_name.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr double site_lines = 2, title_lines = 1.2, between_sites = 0.3, between_layers = 0.9, dots_lines = 1;

/// "Decoder 2", of a stack without a name "Layer 2".
std::string layer_title(const ModelStack& stack, const ModelStack::Layer& layer) {
    const std::string title = capitalized(stack.kind.empty() ? "layer" : stack.kind);
    const bool is_alone = stack.layers.size() == 1 && layer.number.value_or(0) == 0;
    return layer.number && !is_alone ? title + ' ' + std::to_string(*layer.number + 1) : title;
}

/// What the weights of a site are, for who has not seen any.
std::string meaning_of(const std::string& site, const ModelParts& parts) {
    const ModelStack* const decoder = parts.decoder();
    const auto in_decoder = decoder ? decoder->layer_of(site) : std::nullopt;
    if (in_decoder && decoder->layers[*in_decoder].cross == site)
        return "Here the decoder looks at the source: how much each word that it writes takes from each "
               "source word.";
    if (parse_site(site).kind == query_stream)
        return "Here a place whose word is not known looks at the words that are: how much what is guessed "
               "there takes from each.";
    if (in_decoder)
        return "Here the decoder looks at the words written so far: how much each takes from those before "
               "it.";
    return "Here the words of a text look at each other: how much each takes from each.";
}

}  // namespace

bool StackColumns::has_context(const ModelStack& stack) const {
    return parts_.is_recurrent() && maker_.trace().find("context", stack.layers.front().cross);
}

double StackColumns::layer_height(const ModelStack::Layer& layer) const {
    const auto sites = static_cast<double>(layer.sites().size());
    return sites < 2 ? site_lines : title_lines + sites * site_lines + (sites + 1) * between_sites;
}

double StackColumns::height(const ModelStack& stack) const {
    double height = -between_layers;
    for (const auto& layer : unfolded(stack, stack.layer_of(maker_.chain().site())))
        height += between_layers + (layer ? layer_height(stack.layers[*layer]) : dots_lines);
    return height + (has_context(stack) ? between_layers + site_lines : 0);
}

Flow::Node StackColumns::node_of_site(const std::string& site, const std::string& title) const {
    const Trace& trace = maker_.trace();
    const Stage* stage = trace.find("weights", site);
    if (!stage)
        for (const Stage& each : trace.stages())
            if (each.site == site && !stage)
                stage = &each;
    Flow::Node node = node_of_tensor(*stage);
    node.rows = node.columns = 0;  // every layer's would be the same
    node.title = title;
    node.words = site_in_words(site, has_layers(trace)) + ", weights of " + node.words;
    node.meaning = meaning_of(site, parts_);
    node.place.head =
        stage->has_axis(Axis::head) ? std::min(maker_.head(), stage->extent(Axis::head) - 1) : 0;
    node.height = site_lines;
    if (site == maker_.chain().site())
        node.light = Flow::Light::lit;
    return node;
}

std::string StackColumns::attention_of(const ModelStack& stack, const std::string& site) const {
    const auto words = [this](const std::string& of) {
        const AttentionSpec* spec = maker_.trace().known_spec_at(of);
        return spec ? attention_in_few_words(*spec) : std::string();
    };
    const std::string here = words(site);
    using Layer = ModelStack::Layer;
    const auto is_at = [&](std::string Layer::*place) {
        return std::ranges::count(stack.layers, site, place) > 0;
    };
    const auto place = is_at(&Layer::cross)   ? &Layer::cross
                       : is_at(&Layer::query) ? &Layer::query
                                              : &Layer::self;
    const auto has_other = [&](const Layer& layer) {
        const std::string& there = layer.*place;
        return !there.empty() && words(there) != here;
    };
    return std::ranges::any_of(stack.layers, has_other) ? here : std::string();
}

Index StackColumns::add_layer(FlowBuilder& builder, const ModelStack& stack, const ModelStack::Layer& layer,
                              double top, std::optional<Index>& lit) const {
    const auto add = [&](const std::string& site, const std::string& title, double from, Index inside) {
        const std::string attention = attention_of(stack, site);
        Flow::Node node = node_of_site(site, attention.empty() ? title : title + ": " + attention);
        node.line = from + 0.5 * site_lines;
        node.inside = inside;
        const bool is_lit = node.light == Flow::Light::lit;
        const Index added = builder.add(std::move(node));
        if (is_lit)
            lit = added;
        return added;
    };
    const std::string title = layer_title(stack, layer);
    const std::vector<std::string> sites = layer.sites();
    if (sites.size() == 1)
        return add(sites.front(), title + (layer.cross.empty() ? "" : " → source"), top, -1);
    Flow::Node frame;
    frame.kind = Flow::Node::Kind::frame;
    frame.title = title;
    frame.meaning =
        layer.query.empty()
            ? "One layer of the decoder: it looks at the words written so far, then at the source."
            : "One layer of the decoder with two streams: what is made of the words that are known, "
              "and of a place whose word is guessed.";
    frame.height = layer_height(layer);
    frame.line = top + 0.5 * frame.height;
    const Index around = builder.add(std::move(frame));
    double from = top + title_lines + between_sites;
    for (const std::string& site : sites) {
        const bool is_self = site == layer.self;
        add(site,
            !layer.query.empty() ? (is_self ? "contents" : "queries") : (is_self ? "→ itself" : "→ source"),
            from, around);
        from += site_lines + between_sites;
    }
    return around;
}

PlacedStack StackColumns::add(FlowBuilder& builder, const ModelStack& stack, double top) const {
    PlacedStack placed;
    std::optional<Index> before;
    for (const auto& layer : unfolded(stack, stack.layer_of(maker_.chain().site()))) {
        Index node = 0;
        if (layer) {
            node = add_layer(builder, stack, stack.layers[*layer], top, placed.lit);
            top += layer_height(stack.layers[*layer]);
        } else {
            Flow::Node gap;
            gap.kind = Flow::Node::Kind::gap;
            gap.height = dots_lines;
            gap.line = top + 0.5 * dots_lines;
            node = builder.add(std::move(gap));
            top += dots_lines;
        }
        top += between_layers;
        if (before)
            builder.join(*before, node);
        else
            placed.first = node;
        before = placed.last = node;
    }
    return placed;
}

Index StackColumns::add_context(FlowBuilder& builder, const std::string& site,
                                const PlacedStack& placed) const {
    const Stage* context = maker_.trace().find("context", site);
    if (!context)
        return placed.last;
    Flow::Node node = node_of_tensor(*context);
    Flow::Node& above = builder.node(placed.last);
    node.title = "Context";
    node.meaning =
        "What the decoder gets: the source states added up, each as much as it is looked at; a row for "
        "each word written.";
    node.place.head = above.place.head;
    node.height = site_lines;
    node.line = above.line + 0.5 * above.height + between_layers + 0.5 * site_lines;
    if (above.light == Flow::Light::lit) {
        const bool is_in_view = maker_.stage() == context->name;
        node.light = is_in_view ? Flow::Light::lit : Flow::Light::firm;
        if (is_in_view)
            above.light = Flow::Light::firm;  // it is its site, and what is in view follows from it
    }
    const Index added = builder.add(std::move(node));
    builder.join(placed.last, added, Flow::Light::firm);
    return added;
}

}  // namespace headlight
