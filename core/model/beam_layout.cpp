#include "core/model/beam_layout.h"

#include "core/attention/arithmetic_text.h"
#include "core/tensor/counted.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace headlight {
namespace {

const BeamNode& node_at(const Transcript& transcript, Index node) {
    return transcript.beams->tree.nodes[static_cast<std::size_t>(node)];
}

std::string percent(double probability) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * probability);
    return probability > 0 && probability < 0.0005 ? "< 0.1 %" : text;
}

}  // namespace

BeamLayout::BeamLayout(const TranscriptBeams& beams, bool with_pruned)
    : nodes_(beams.tree.nodes), rows_(nodes_.size()), on_best_way_(nodes_.size(), false) {
    for (Index node = beams.tree.best; node >= 0; node = nodes_[static_cast<std::size_t>(node)].parent)
        on_best_way_[static_cast<std::size_t>(node)] = true;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const BeamNode& node = nodes_[i];
        // Who looks at a pruned text sees where it stands.
        if (!node.is_kept && !with_pruned && static_cast<Index>(i) != beams.followed)
            continue;
        columns_.resize(std::max(columns_.size(), static_cast<std::size_t>(node.length) + 1));
        columns_[static_cast<std::size_t>(node.length)].push_back(static_cast<Index>(i));
    }
    // Column by column: where the parents stand decides where their children do.
    for (std::vector<Index>& column : columns_) {
        std::ranges::stable_sort(column, {}, [&](Index i) {
            const BeamNode& node = nodes_[static_cast<std::size_t>(i)];
            const Index parent = node.parent < 0 ? 0 : row(node.parent).value_or(0);
            return std::tuple(!node.is_kept, parent, !is_on_best_way(i), -node.log_probability);
        });
        for (std::size_t at = 0; at < column.size(); ++at)
            rows_[static_cast<std::size_t>(column[at])] = static_cast<Index>(at);
    }
}

Index BeamLayout::rows() const {
    std::size_t most = 0;
    for (const std::vector<Index>& column : columns_)
        most = std::max(most, column.size());
    return static_cast<Index>(most);
}

std::vector<Index> BeamLayout::way_to(Index node) const {
    std::vector<Index> way;
    for (; node >= 0; node = nodes_[static_cast<std::size_t>(node)].parent)
        way.insert(way.begin(), node);
    return way;
}

Index BeamLayout::before(Index node) const {
    const Index parent = nodes_[static_cast<std::size_t>(node)].parent;
    return parent > 0 ? parent : node;
}

Index BeamLayout::behind(Index node) const {
    const auto column = static_cast<std::size_t>(nodes_[static_cast<std::size_t>(node)].length) + 1;
    if (column < columns_.size())
        for (const Index child : columns_[column])
            if (nodes_[static_cast<std::size_t>(child)].parent == node)
                return child;
    return node;
}

Index BeamLayout::beside(Index node, Index by) const {
    const auto& column = columns_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(node)].length)];
    const Index wanted = row(node).value_or(0) + by;
    return wanted < 0 || wanted >= std::ssize(column) ? node : column[static_cast<std::size_t>(wanted)];
}

std::string text_to(const Transcript& transcript, Index node) {
    const TranscriptBeams& beams = *transcript.beams;
    std::vector<std::string> words;
    for (const TranscriptStep& step :
         std::span(transcript.steps).first(static_cast<std::size_t>(beams.first_step)))
        if (!step.is_given)
            words.push_back(step.said);
    for (const Index token : beams.tree.text(node))
        words.push_back(transcript.model->model->target.word(token));
    if (!words.empty() && words.back() == "</s>")
        words.pop_back();
    return text_of(transcript.model->model->task, words, Side::target);
}

std::string beam_description(const Transcript& transcript, Index width) {
    const TranscriptBeams& beams = *transcript.beams;
    Index steps = 0, kept = 0;
    for (const BeamNode& node : beams.tree.nodes) {
        steps = std::max(steps, node.length);
        kept += node.is_kept && node.length > 0;
    }
    std::string text = "Beam of " + std::to_string(width) + " over " + counted(steps, "step") + ": ";
    text += counted(kept, "text") + " kept, ";
    text += std::to_string(std::ssize(beams.tree.nodes) - 1 - kept) + " pruned. Best: ";
    text += text_to(transcript, beams.tree.best) + ", log probability ";
    text += log_probability_text(node_at(transcript, beams.tree.best).log_probability) + ".";
    return text;
}

std::string node_summary(const Transcript& transcript, Index node) {
    const BeamNode& at = node_at(transcript, node);
    const std::string text = text_to(transcript, node);
    std::string said = text.empty() ? "Nothing" : text;
    said += at.is_over ? ": " : " …: ";
    said += "log probability " + log_probability_text(at.log_probability);
    said += node == transcript.beams->tree.best ? ", the best text" : at.is_kept ? ", kept" : ", pruned";
    return said;
}

std::string node_description(const Transcript& transcript, Index node) {
    const BeamNode& at = node_at(transcript, node);
    if (node == 0)
        return "Where the texts begin";
    const double share = std::exp(at.log_probability - node_at(transcript, at.parent).log_probability);
    std::string said = node_summary(transcript, node);
    said += at.is_kept ? "." : ": better texts took the places.";
    said += " Probability " + percent(std::exp(at.log_probability)) + ", of its last word ";
    said += percent(share) + ".";
    return said;
}

std::string log_probability_text(double value) {
    constexpr double least_of_two_decimals = 0.005;
    const double size = std::abs(value);
    if (size > 0 && size < least_of_two_decimals)
        return format_number(-size, 3);
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.2f", size);
    return size == 0 ? digits : std::string("−") + digits;
}

}  // namespace headlight
