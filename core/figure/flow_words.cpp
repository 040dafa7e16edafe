#include "core/figure/flow_words.h"

#include "core/attention/arithmetic_text.h"
#include "core/figure/site_words.h"
#include "core/figure/stage_flow.h"
#include "core/figure/ticks.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/map/site_name.h"
#include "core/tensor/counted.h"
#include "core/tensor/visible_text.h"

#include <cmath>

namespace headlight {
namespace {

/// "“noir”", or its number where it has no word.
std::string token_in_words(const TokenLabels& tokens, Axis axis, Index at, Index extent) {
    const std::vector<std::string> labels = axis_labels(tokens, axis, extent);
    const auto place = static_cast<std::size_t>(at);
    return place < labels.size() ? in_quotes(labels[place]) : std::to_string(at + 1);
}

/// Two digits of small weights too: of twelve that are equal each is 0.083.
std::string weight_in_words(double weight) {
    return std::abs(weight) < 0.1 ? format_number(weight, 2) : format_fixed(weight, 2);
}

}  // namespace

std::string row_in_words(const PanelMaker& maker, const ArrivingWeights& arriving) {
    const std::string& site = maker.chain().site();
    const Stage* weights = maker.trace().find("weights", site);
    if (!weights || arriving.weights.empty())
        return {};
    const std::string query = token_in_words(maker.trace().tokens_at(site), Axis::query, arriving.query,
                                             weights->extent(Axis::query));
    return join({head_title(arriving.head, arriving.heads), "query " + query}, ", ");
}

std::string model_in_words(const PanelMaker& maker, const Flow& flow, const ArrivingWeights& arriving) {
    const std::string& site = maker.chain().site();
    const Trace& trace = maker.trace();
    const Stage* weights = trace.find("weights", site);
    const std::string place = site_in_words(site, has_layers(trace));
    std::string words = "In view: " + place;
    if (!weights || arriving.weights.empty()) {
        for (const Flow::Node& node : flow.nodes)
            if (node.place.site == site && node.light == Flow::Light::lit) {
                const bool begins_with_word = node.words.starts_with("“");
                words += (begins_with_word ? "" : ", " + in_quotes(node.title)) + ", " + node.words;
            }
        return words + '.';
    }
    const TokenLabels& tokens = trace.tokens_at(site);
    const Index keys = weights->extent(Axis::key);
    words += ", " + row_in_words(maker, arriving) + ". Into it flows one row of its weights, " +
             shape_in_words(*weights) + ": from " + counted(keys, "key") + ".";
    std::string thickest;
    for (const std::size_t key : arriving.largest(3))
        thickest += (thickest.empty() ? "" : ", ") +
                    token_in_words(tokens, Axis::key, static_cast<Index>(key), keys) + ' ' +
                    weight_in_words(arriving.weights[key]);
    if (thickest.empty())
        return words;
    if (const std::string kind = parse_site(site).kind; kind == "cross" || kind == query_stream)
        words += " When it writes " +
                 token_in_words(tokens, Axis::query, arriving.query, weights->extent(Axis::query)) +
                 ", the decoder looks most at " +
                 token_in_words(tokens, Axis::key, static_cast<Index>(arriving.largest(1).front()), keys) +
                 ": the thickest arrow into the part in view.";
    return words + " Thickest arrows: " + thickest + '.';
}

}  // namespace headlight
