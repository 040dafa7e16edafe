#include "core/figure/model_flow.h"

#include "core/figure/flow_builder.h"
#include "core/figure/flow_strip.h"
#include "core/figure/flow_words.h"
#include "core/figure/model_parts.h"
#include "core/figure/said_word.h"
#include "core/figure/stack_columns.h"
#include "core/figure/words.h"
#include "core/map/site_name.h"
#include "core/model/generation_trace.h"
#include "core/tensor/visible_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headlight {
namespace {

using NodeKind = Flow::Node::Kind;

/// Whether the keys at the site are the tokens that ask there. A text that looks at its question may be just
/// as long.
bool asks_about_itself(const Trace& trace, const std::string& site) {
    const AttentionSpec* const spec = trace.known_spec_at(site);
    if (spec && spec->source.type == SourceType::self)
        return true;
    // A layer that attends to the keys of an earlier one is given them: the same words, from elsewhere.
    const TokenLabels& tokens = trace.tokens_at(site);
    return parse_site(site).kind != "cross" && (tokens.key.empty() || tokens.key == tokens.query);
}

constexpr double map_box_lines = 2, heading_gap = 0.6, narrow_gap = 2, wide_gap = 5;  // lines

/// Puts the columns of a model together, from left to right.
class ModelMap {
public:
    ModelMap(const PanelMaker& maker, const ArrivingWeights& arriving)
        : maker_(maker), trace_(maker.trace()), site_(maker.chain().site()), parts_(model_parts(trace_)),
          arriving_(arriving), stacks_(maker, parts_) {
        double high = 0;
        for (const ModelStack& stack : parts_.stacks)
            high = std::max(high, stacks_.height(stack));
        for (const Stage& stage : trace_.stages())
            if (stage.name == "weights")
                high = std::max({high, lines_of_strip(stage.extent(Axis::key)) + top_of_strip,
                                 lines_of_strip(stage.extent(Axis::query)) + top_of_strip});
        const bool has_word_below = parts_.decoder() && !parts_.output.empty();
        builder_.flow.lines = high + (has_word_below ? map_box_lines + heading_gap : 0);
        bottom_ = high;
    }

    Flow made() {
        const ModelStack* const decoder = parts_.decoder();
        for (const ModelStack& stack : parts_.stacks)
            if (&stack != decoder)
                add_reading_stack(stack);
        if (decoder)
            add_decoder(*decoder);
        add_said();
        Flow flow = std::move(builder_.flow);
        add_notes(flow);
        flow.words = model_in_words(maker_, flow, arriving_);
        return flow;
    }

private:
    static constexpr double top_of_strip = map_box_lines + heading_gap;

    /// A text, and the layers that read it.
    void add_reading_stack(const ModelStack& stack) {
        const bool is_in_view = stack.layer_of(site_).has_value();
        const ModelStack* const decoder = parts_.decoder();
        // While the decoder looks at the source, a click on a word chooses what it looks at.
        const bool is_looked_at = decoder && cross_site(*decoder) == site_;
        const std::string& read = is_in_view || is_looked_at ? site_ : stack.layers.front().self;
        builder_.begin_column(builder_.flow.gaps.empty() ? 0 : wide_gap);
        const Index heading = add_heading(decoder ? "Source" : "Text", stack.layers.front().self, "tokens",
                                          "The text that is read: a vector for each of its words.");
        const std::vector<Index> words = add_tokens(read, Axis::key, NodeKind::word);
        const PlacedStack placed = add_stack(stack, is_in_view ? wide_gap : narrow_gap);
        builder_.join(heading, placed.first);
        if (is_in_view)
            add_arrows(words, placed.lit);
        before_ = placed.last;
    }

    /// The states of the source, the layers that look at them, and the words that they say.
    void add_decoder(const ModelStack& stack) {
        const std::string& cross = cross_site(stack);
        const bool is_cross_in_view = cross == site_;
        std::vector<Index> words;
        if (!before_) {  // the encoder does not attend, or nobody recorded it
            builder_.begin_column(0);
            add_heading("Source", "", "", "The text that is read, word by word.");
            words = add_tokens(cross, Axis::key, NodeKind::word);
        }
        builder_.begin_column(narrow_gap);
        const Index states = add_heading(
            parts_.is_recurrent() ? "Encoder states" : "States", cross, "key_tokens",
            "What the encoder has made of the source: a vector for each word, which knows the words "
            "around it.");
        const std::vector<Index> marks = add_tokens(cross, Axis::key, NodeKind::mark);
        if (before_)
            builder_.join(*before_, states);
        for (std::size_t at = 0; at < words.size(); ++at)
            builder_.join(words[at], marks[at]);
        if (parts_.is_recurrent())
            builder_.chain(marks);
        const PlacedStack placed = add_stack(stack, is_cross_in_view ? wide_gap : narrow_gap);
        if (is_cross_in_view)
            add_arrows(marks, placed.lit);
        else
            builder_.join(states, placed.first);
        before_ = placed.last;
        if (parts_.is_recurrent())
            add_decoder_states(cross, placed);
        add_words_said(cross, placed, stack.layer_of(site_) && !is_cross_in_view);
    }

    /// One state for each word that is said; the context goes to that of the selected step.
    void add_decoder_states(const std::string& cross, const PlacedStack& placed) {
        const Index context = stacks_.add_context(builder_, cross, placed);
        builder_.begin_column(wide_gap);
        add_heading(
            "Decoder states", cross, "tokens",
            "What the decoder remembers at each step: a vector for each word written, made from the one "
            "before and the context.");
        const std::vector<Index> marks = add_tokens(cross, Axis::query, NodeKind::mark);
        builder_.chain(marks);
        for (const Index mark : marks)
            if (builder_.node(mark).place.query == query())
                builder_.join(context, mark, Flow::Light::firm);
        decoder_states_ = marks;
    }

    struct Said {
        const char *title, *meaning;
    };
    /// What a place asks for that looks at the source: words, a label, or what slots make a label of.
    Said what_is_said(const std::string& cross) const {
        if (parts_.output != says_in_encoder)
            return {"Words said", "What the model says, word by word."};
        const Stage* weights = trace_.find("weights", cross);
        if (weights && weights->extent(Axis::query) > 1)
            return {"Slots", "Learned vectors that compete for the words; the label is made of all of them."};
        return {"Label", "What the model says, word by word."};
    }

    /// What the decoder has read where it looks at itself, else what it said.
    void add_words_said(const std::string& cross, const PlacedStack& placed, bool is_self_in_view) {
        builder_.begin_column(is_self_in_view ? wide_gap : narrow_gap);
        const Said said = what_is_said(cross);
        const Index heading = add_heading(
            is_self_in_view ? "Words read" : said.title, "", "",
            is_self_in_view ? "What the decoder has written so far, which it reads again." : said.meaning);
        const std::vector<Index> words =
            add_tokens(is_self_in_view ? site_ : cross, Axis::query, NodeKind::word);
        if (is_self_in_view)
            add_arrows(words, placed.lit);
        else if (decoder_states_.empty())
            builder_.join(heading, placed.first);
        for (std::size_t at = 0; at < decoder_states_.size(); ++at)
            builder_.join(decoder_states_[at], words[at]);
        if (!is_self_in_view && decoder_states_.empty() && parts_.output.empty())
            lead_to_word(placed.last, words);
    }

    /// From the last layer to the word of the selected step: what it looked at leads there. Where the trace
    /// has the model's answers, the arrow leads to those.
    void lead_to_word(Index last, const std::vector<Index>& words) {
        for (const Index word : words)
            if (builder_.node(word).light == Flow::Light::lit)
                builder_.join(last, word, Flow::Light::firm);
    }

    /// The word or the label that follows. Below a column that has it already the box is called what it is.
    void add_said() {
        const std::optional<SaidWord> said =
            parts_.output.empty() ? word_read_next() : said_word(trace_, parts_.output, step());
        if (!said)
            return;
        if (!parts_.decoder())
            builder_.begin_column(narrow_gap);
        const bool is_label = parts_.output == says_in_encoder, is_below = parts_.decoder() != nullptr;
        const std::string word = visible_token(said->word), probability = said->probability_text();
        Flow::Node node;
        node.is_answer = true;
        node.words = is_label ? "the label" : "the next word";
        node.meaning = is_label ? "The label that the model gives the text."
                       : parts_.output.empty()
                           ? "The word that follows in the text, which the model is to guess."
                           : "The word written at this step: the likeliest, with its probability, or one "
                             "that was chosen.";
        if (!probability.empty())
            node.words += ", probability " + probability;
        if (!said->is_written) {
            node.title = "Next word";
            node.words = "not in the text";
            node.meaning = "The word that would follow: the text ends here, and nobody recorded what the "
                           "model says.";
        } else if (is_below) {
            node.title = is_label ? "Label said" : "Word said";
            node.shape = in_quotes(word) + (probability.empty() ? "" : ' ' + probability);
            node.words = in_quotes(word) + ", " + node.words;
        } else {
            node.title = word;
            node.shape = probability.empty() ? "" : "probability " + probability;
        }
        node.line = parts_.decoder() ? builder_.flow.lines - 0.5 * map_box_lines : 0.5 * builder_.flow.lines;
        node.height = map_box_lines;
        node.place = {parts_.output, said->stage, 0, said->step, {}};
        const bool is_in_view = !parts_.output.empty() && site_ == parts_.output;
        node.light = is_in_view ? Flow::Light::lit : Flow::Light::firm;
        const Index next = builder_.add(std::move(node));
        const std::optional<Index> from = parts_.is_recurrent() ? state_of(said->step) : before_;
        if (from)
            builder_.join(*from, next);
    }

    /// The decoder's state at a step of a recurrent model; nothing where none is drawn for it.
    std::optional<Index> state_of(Index step) {
        for (const Index state : decoder_states_)
            if (builder_.node(state).place.query == step)
                return state;
        return std::nullopt;
    }

    PlacedStack add_stack(const ModelStack& stack, double gap) {
        builder_.begin_column(gap);
        const double height = stacks_.height(stack);
        const double top = std::max(0.0, 0.5 * (bottom_ - height));
        return stacks_.add(builder_, stack, top);
    }

    /// What stands above the tokens of a column, with the size of their vectors where that is recorded.
    Index add_heading(const std::string& title, const std::string& site, const std::string& stage,
                      const char* meaning) {
        const Stage* vectors = stage.empty() ? nullptr : trace_.find(stage, site);
        Flow::Node node = vectors ? node_of_tensor(*vectors) : Flow::Node();
        node.title = title;
        node.meaning = meaning;
        node.line = 0.5 * map_box_lines;
        node.height = vectors ? map_box_lines : 1;
        return builder_.add(std::move(node));
    }

    /// The tokens that an axis of a site counts, below the heading. Returns their nodes.
    std::vector<Index> add_tokens(const std::string& site, Axis axis, NodeKind kind);
    void add_arrows(const std::vector<Index>& keys, std::optional<Index> to);
    void add_notes(Flow& flow) const;

    /// The site in view where it looks at the source, else the first that does.
    const std::string& cross_site(const ModelStack& stack) const {
        const auto layer = stack.layer_of(site_);
        if (layer && stack.layers[*layer].cross == site_)
            return site_;
        return std::ranges::find_if(stack.layers,
                                    [](const ModelStack::Layer& each) { return !each.cross.empty(); })
            ->cross;
    }
    /// Where a model reads one text, and nobody recorded what it says: the word behind the selected one.
    std::optional<SaidWord> word_read_next() const {
        if (parts_.decoder() || parts_.stacks.empty() || parts_.stacks.back().kind != "decoder")
            return std::nullopt;
        const ModelStack& stack = parts_.stacks.back();
        const std::optional<std::size_t> layer = stack.layer_of(site_);
        return word_behind(trace_, stack.layers[layer.value_or(0)].self, step());
    }
    /// [key]: how thick the arrow from each is; empty where there are too many for arrows.
    std::vector<double> shares() const {
        std::vector<double> shares;
        if (std::ssize(arriving_.weights) <= most_arrows)
            for (std::size_t key = 0; key < arriving_.weights.size(); ++key)
                shares.push_back(arriving_.share(key));
        return shares;
    }
    bool is_decoder_in_view() const {
        const bool attends = !parts_.stacks.empty() && parts_.stacks.back().layer_of(site_).has_value();
        return attends || (!parts_.output.empty() && site_ == parts_.output);
    }
    /// The selected query, or where words are said the selected step.
    Index query() const { return arriving_.weights.empty() ? maker_.query() : arriving_.query; }
    /// The decoding step; where an encoder is in view, the last one.
    Index step() const { return is_decoder_in_view() ? query() : std::numeric_limits<Index>::max(); }

    const PanelMaker& maker_;
    const Trace& trace_;
    std::string site_;
    ModelParts parts_;
    const ArrivingWeights& arriving_;
    StackColumns stacks_;
    FlowBuilder builder_;
    double bottom_ = 0;
    std::optional<Index> before_;
    std::vector<Index> decoder_states_;
};

std::vector<Index> ModelMap::add_tokens(const std::string& site, Axis axis, NodeKind kind) {
    const Stage* weights = trace_.find("weights", site);
    if (!weights)
        return {};
    const Index count = weights->extent(axis);
    const std::vector<std::string> words = axis_labels(trace_.tokens_at(site), axis, count);
    // Where a text looks at itself its tokens are queries, too, and a click on one lets it look.
    const bool looks_at_itself = asks_about_itself(trace_, site);
    const bool are_queries =
        axis == Axis::query || (looks_at_itself && weights->extent(Axis::query) == count);
    const bool is_of_query = site == site_ || (axis == Axis::query && is_decoder_in_view());
    const std::optional<Index> selected = are_queries && is_of_query ? std::optional(query()) : std::nullopt;
    std::vector<Index> nodes;
    // An arrow from a word that is not written says nothing.
    const bool has_arrows = site == site_ && (axis == Axis::key || looks_at_itself);
    const std::vector<StripToken> strip =
        strip_of(count, top_of_strip, bottom_, selected, has_arrows ? shares() : std::vector<double>());
    const double apart = least_apart(strip);  // no two may meet
    for (const StripToken& token : strip) {
        Flow::Node node;
        node.kind = kind;
        const auto at = static_cast<std::size_t>(token.token);
        node.title = at < words.size() ? words[at] : std::to_string(token.token + 1);
        node.line = token.line;
        if (kind == NodeKind::mark)
            node.meaning = axis == Axis::key ? "The vector that the encoder made for this word."
                                             : "The decoder's state when it writes this word.";
        node.height = kind == NodeKind::mark ? std::min(0.5, 0.7 * apart) : std::min(1.0, 0.95 * apart);
        node.is_named = token.is_named;
        node.place = {site, "weights", arriving_.head, {}, {}};
        (are_queries ? node.place.query : node.place.key) = token.token;
        if (token.token == selected)
            node.light = Flow::Light::lit;
        else if (axis == Axis::query && selected && token.token < *selected)
            node.light = Flow::Light::firm;  // said or read before
        nodes.push_back(builder_.add(std::move(node)));
    }
    return nodes;
}

void ModelMap::add_arrows(const std::vector<Index>& keys, std::optional<Index> to) {
    if (!to || arriving_.weights.empty())
        return;
    if (std::ssize(arriving_.weights) > most_arrows) {
        builder_.flow.notes.emplace_back("Too many tokens for arrows.");
        return;
    }
    for (const Index node : keys) {
        Flow::Node& key = builder_.node(node);
        const auto at = static_cast<std::size_t>(key.place.key.value_or(key.place.query.value_or(0)));
        const double share = arriving_.share(at);
        if (at < arriving_.weights.size() && std::isfinite(arriving_.weights[at]))
            key.number = arriving_.weights[at];
        if (share == 0)
            continue;
        if (key.light == Flow::Light::quiet)
            key.light = Flow::Light::firm;
        Flow::Edge edge{node, *to};
        edge.weight = arriving_.weights[at];
        edge.share = share;
        edge.is_dashed = arriving_.weights[at] < 0;
        edge.light = Flow::Light::firm;
        builder_.flow.edges.push_back(std::move(edge));
    }
}

/// Layers that have no place in the trace are drawn as three dots, like those that are folded.
bool lacks_layers(const ModelStack& stack) {
    for (std::size_t at = 1; at < stack.layers.size(); ++at)
        if (const auto before = stack.layers[at - 1].number, here = stack.layers[at].number;
            before && here && *here > *before + 1)
            return true;
    return false;
}

void ModelMap::add_notes(Flow& flow) const {
    if (std::ranges::any_of(parts_.stacks, lacks_layers))
        flow.notes.emplace_back("Layers whose numbers are missing have no maps here.");
    const auto has = [&](auto&& holds) { return std::ranges::any_of(flow.edges, holds); };
    if (has([](const Flow::Edge& edge) { return edge.weight.has_value(); }))
        flow.notes.emplace_back("Thicker arrow: more is taken from there.");
    if (has([](const Flow::Edge& edge) { return edge.weight && *edge.weight < 0; }))
        flow.notes.emplace_back("Dashed: a weight below 0, which takes away.");
    if (has([](const Flow::Edge& edge) { return edge.weight.has_value(); }) && arriving_.too_small() > 0)
        flow.notes.emplace_back("Arrows under 2 % of the thickest are not drawn.");
}

}  // namespace

bool is_of_model(const Trace& trace) {
    return !trace.stages().empty() && !trace.stages().front().site.empty();
}

Flow model_flow(const PanelMaker& maker, const ArrivingWeights& arriving) {
    return ModelMap(maker, arriving).made();
}

}  // namespace headlight
