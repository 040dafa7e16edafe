#include "core/figure/stage_flow.h"

#include "core/attention/component.h"
#include "core/attention/trace_program.h"
#include "core/figure/equation.h"
#include "core/figure/flow_builder.h"
#include "core/figure/layered_graph.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/graph/line_sources.h"
#include "core/tensor/counted.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace headlight {
namespace {

/// What a run is given, or has learned: it follows from no other stage.
bool is_given(std::string_view stage) {
    constexpr std::string_view given[] = {"tokens",   "key_tokens",   "value_tokens",
                                          "position", "key_position", "position_bias"};
    return std::ranges::find(given, stage) != std::end(given);
}

struct StageEdges {
    std::vector<GraphEdge> edges;
    std::vector<bool> is_dashed;  ///< [edge]
};

/// What stages are computed from: as the picture of the stages says it; where that says nothing, or nothing
/// of what chose the keys that a score keeps, what the lines of the run's program read, which are asked for
/// only then.
class KnownSources {
public:
    explicit KnownSources(const PanelMaker& maker) : maker_(maker) {}

    /// Nothing where nobody knows; none where it follows from no other stage.
    std::optional<std::vector<std::string>> of(const std::string& stage) {
        std::vector<std::string> said = headlight::sources_of(maker_, stage);
        if (said.empty())
            return is_given(stage) ? said : of_lines(stage);
        if (is_first_behind_selection(stage))
            for (std::string& source : of_choice(stage))
                if (std::ranges::count(said, source) == 0)
                    said.push_back(std::move(source));
        return said;
    }

private:
    const AttentionSpec* spec() const { return maker_.trace().known_spec_at(maker_.chain().site()); }

    /// The picture of the stages says of it which scores were masked, not what chose among their keys.
    bool is_first_behind_selection(const std::string& stage) const {
        if (!spec() || !component_of(spec()->selection.type))
            return false;
        return stage == (spec()->mask_order == MaskOrder::after_scale ? "masked_scores" : "exponentials");
    }

    /// The scores and the selection's stages that the stage's lines read. Where these have the choice under
    /// other names: the selection's stages before it of which no other of them is made.
    std::vector<std::string> of_choice(const std::string& stage) {
        const auto declared = declared_stages_of(*component_of(spec()->selection.type), *spec());
        const auto is_chosen_by = [&](const std::string& name) {
            return std::ranges::find(*declared, name, &DeclaredStage::name) != declared->end();
        };
        std::vector<std::string> sources = of_lines(stage).value_or(std::vector<std::string>());
        std::erase_if(sources, [&](const std::string& name) {
            return !is_chosen_by(name) && !maker_.chain().is_score_stage(name);
        });
        if (std::ranges::any_of(sources, is_chosen_by))
            return sources;
        std::vector<std::string> last;
        for (const std::string& name : maker_.chain().visible()) {
            if (name == stage)
                break;
            if (!is_chosen_by(name))
                continue;
            const std::vector<std::string> before = of(name).value_or(std::vector<std::string>());
            std::erase_if(last,
                          [&](const std::string& each) { return std::ranges::count(before, each) > 0; });
            last.push_back(name);
        }
        sources.insert(sources.end(), last.begin(), last.end());
        return sources;
    }

    std::optional<std::vector<std::string>> of_lines(const std::string& stage) {
        const LineSources* lines = program_lines();
        const auto stage_of = [this](const std::string& name) {
            const StageChain& chain = maker_.chain();
            std::string shown = chain.shown_by(name);
            return std::ranges::count(chain.visible(), shown) > 0 ? shown : std::string();
        };
        return lines ? lines->sources_of(stage, stage_of) : std::nullopt;
    }

    const LineSources* program_lines() {
        if (!has_asked_)
            if (const auto program = outline_of(maker_.trace(), maker_.chain().site()))
                lines_.emplace(*program);
        has_asked_ = true;
        return lines_ ? &*lines_ : nullptr;
    }

    const PanelMaker& maker_;
    bool has_asked_ = false;
    std::optional<LineSources> lines_;
};

StageEdges edges_between(const PanelMaker& maker, const std::vector<std::string>& stages) {
    KnownSources known(maker);
    StageEdges all;
    for (Index to = 1; to < std::ssize(stages); ++to) {
        const auto named = known.of(stages[static_cast<std::size_t>(to)]);
        std::vector<Index> sources;
        if (!named)
            sources.push_back(to - 1);
        else
            for (const std::string& source : *named) {
                const Index from = std::ranges::find(stages, source) - stages.begin();
                if (from < to && std::ranges::count(sources, from) == 0)
                    sources.push_back(from);
            }
        for (const Index from : sources) {
            all.edges.push_back({from, to});
            all.is_dashed.push_back(!named);
        }
    }
    return all;
}

/// What leads to a node, and the node.
std::vector<bool> followed_back(Index node, Index nodes, const std::vector<GraphEdge>& edges) {
    std::vector<bool> leads(static_cast<std::size_t>(nodes), false);
    leads[static_cast<std::size_t>(node)] = true;
    for (Index to = node; to > 0; --to)  // edges lead to later nodes
        for (const GraphEdge& edge : edges)
            if (edge.to == to && leads[static_cast<std::size_t>(to)])
                leads[static_cast<std::size_t>(edge.from)] = true;
    return leads;
}

Flow::Node node_of_stage(const PanelMaker& maker, const std::string& name) {
    const std::string& site = maker.chain().site();
    const Stage& stage = *maker.trace().find(name, site);
    Flow::Node node = node_of_tensor(stage);
    node.title = maker.title(name);
    const auto side = [&](MatrixSide which) { return declared_side(maker.trace(), name, site, which); };
    node.words = shape_in_words(stage, side(MatrixSide::rows), side(MatrixSide::columns));
    node.place.head = maker.head_in(name);
    node.number = static_cast<double>(stage.size());
    return node;
}

/// "11 stages. In view: Scores, 6 queries × 6 keys, from Query and Key."
std::string words_of_stages(const Flow& flow, Index focus, const PanelMaker& maker) {
    std::string sources;
    for (const Flow::Edge& edge : flow.edges)
        if (edge.to == focus && !edge.is_dashed)
            sources += (sources.empty() ? "" : " and ") + flow_node(flow, edge.from).title;
    const Flow::Node& here = flow_node(flow, focus);
    const std::string subtitle = maker.subtitle(here.place.stage, here.place.head);
    return counted(std::ssize(flow.nodes), "stage") + ". In view: " + here.title +
           (subtitle.empty() ? "" : " (" + subtitle + ")") + ", " + here.words +
           (sources.empty() ? "" : ", from " + sources) + '.';
}

/// One head says nothing that two axes do not.
bool is_only_head(const Stage& stage, std::size_t axis) {
    return stage.axes[axis] == Axis::head && stage.shape[axis] == 1 && stage.shape.size() > 2;
}

/// More than one of what a side of a stage counts: "entries", "pairs of keys".
std::string many_of(const std::string& one) {
    if (const std::size_t of = one.find(" of "); of != one.npos)
        return many_of(one.substr(0, of)) + one.substr(of);
    if (one.ends_with("child"))
        return one + "ren";
    if (one.ends_with("half"))
        return one.substr(0, one.size() - 1) + "ves";
    if (one.ends_with('y') && !one.ends_with("ey"))
        return one.substr(0, one.size() - 1) + "ies";
    return one + (one.ends_with('s') || one.ends_with("ch") ? "es" : "s");
}

}  // namespace

std::string shape_of_stage(const Stage& stage) {
    std::string text;
    for (std::size_t axis = 0; axis < stage.shape.size(); ++axis)
        if (!is_only_head(stage, axis))
            text += (text.empty() ? "" : " × ") + std::to_string(stage.shape[axis]);
    return text.empty() ? "1" : text;
}

std::string shape_in_words(const Stage& stage, const std::string& row, const std::string& column) {
    std::string text;
    for (std::size_t axis = 0; axis < stage.shape.size(); ++axis) {
        if (is_only_head(stage, axis))
            continue;
        const Index extent = stage.shape[axis];
        const std::string& side = axis + 1 == stage.shape.size() ? column : row;
        const std::string word = side.empty() ? "feature" : side;
        std::string part;
        switch (stage.axes[axis]) {
        case Axis::head:
            part = counted(extent, "head");
            break;
        case Axis::query:
            part = counted(extent, "query", "queries");
            break;
        case Axis::key:
            part = counted(extent, "key");
            break;
        case Axis::feature:
            part = counted(extent, word, many_of(word));
            break;
        case Axis::attention:
            part = counted(extent, "unit");
            break;
        }
        text += (text.empty() ? "" : " × ") + part;
    }
    return text.empty() ? "1 number" : text;
}

Flow stage_flow(const PanelMaker& maker) {
    std::vector<std::string> stages = maker.chain().visible();
    if (stages.empty())
        stages.push_back(maker.stage());
    const std::string shown = maker.chain().shown_by(maker.stage());
    const auto found = std::ranges::find(stages, shown);
    const Index focus = found == stages.end() ? std::ssize(stages) - 1 : found - stages.begin();
    const StageEdges between = edges_between(maker, stages);
    const LayeredGraph graph = layered(std::ssize(stages), between.edges);
    const std::vector<bool> leads = followed_back(focus, std::ssize(stages), between.edges);

    constexpr double pitch = 3, height = 2;  // lines
    const auto line = [](double lane) { return pitch * lane + 0.5 * height; };
    Flow flow;
    flow.pitch = pitch;
    flow.lines = pitch * static_cast<double>(graph.lanes - 1) + height;
    flow.gaps.assign(static_cast<std::size_t>(graph.columns), 1.6);
    for (std::size_t at = 0; at < stages.size(); ++at) {
        Flow::Node node = node_of_stage(maker, stages[at]);
        node.column = graph.nodes[at].column;
        node.line = line(graph.nodes[at].lane);
        node.height = height;
        node.light = static_cast<Index>(at) == focus ? Flow::Light::lit
                     : leads[at]                     ? Flow::Light::firm
                                                     : Flow::Light::quiet;
        flow.nodes.push_back(std::move(node));
    }
    for (std::size_t at = 0; at < between.edges.size(); ++at) {
        Flow::Edge edge{between.edges[at].from, between.edges[at].to};
        for (const double lane : graph.via[at])
            edge.via.push_back(line(lane));
        edge.is_dashed = between.is_dashed[at];
        if (leads[static_cast<std::size_t>(edge.to)])
            edge.light = Flow::Light::firm;
        flow.edges.push_back(std::move(edge));
    }
    flow.words = words_of_stages(flow, focus, maker);
    if (std::ranges::count(between.is_dashed, true) > 0)
        flow.notes.emplace_back("Dashed: what comes before; nobody says what it is computed from.");
    return flow;
}

}  // namespace headlight
