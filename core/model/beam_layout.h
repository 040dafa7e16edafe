#pragma once

#include "core/model/transcript.h"

#include <optional>
#include <vector>

namespace headlight {

/// Where the nodes of a beam's tree stand: a column for each word, the way to the best text all along the top
/// row, under it what else was kept, and last what was pruned.
class BeamLayout {
public:
    BeamLayout() = default;
    BeamLayout(const TranscriptBeams& beams, bool with_pruned);

    /// [column][row]: nodes. The first column is the root alone.
    const std::vector<std::vector<Index>>& columns() const { return columns_; }
    Index rows() const;
    /// Nothing for a node that is left out.
    std::optional<Index> row(Index node) const { return rows_[static_cast<std::size_t>(node)]; }
    bool is_on_best_way(Index node) const { return on_best_way_[static_cast<std::size_t>(node)]; }
    /// The way from the root to this node, it included.
    std::vector<Index> way_to(Index node) const;

    // Walking; where there is nothing that way, the node itself. The root is no text, and never arrived at.
    Index before(Index node) const;
    Index behind(Index node) const;
    Index above(Index node) const { return beside(node, -1); }
    Index below(Index node) const { return beside(node, 1); }

private:
    Index beside(Index node, Index by) const;

    std::vector<BeamNode> nodes_;
    std::vector<std::vector<Index>> columns_;
    std::vector<std::optional<Index>> rows_;  ///< [node]
    std::vector<bool> on_best_way_;           ///< [node]
};

/// "2008-07": the text that leads to a node, as its task writes it.
std::string text_to(const Transcript& transcript, Index node);

/// "Beam of 4 over 11 steps. Best: …": what the tree shows, in words.
std::string beam_description(const Transcript& transcript, Index width);

/// "2008-07 …: log probability −0.12, kept".
std::string node_summary(const Transcript& transcript, Index node);
/// All that there is to say of a node: the probability of the text and of its last word as well.
std::string node_description(const Transcript& transcript, Index node);

/// "−0.12"; of a text that is nearly sure "−0.00300": 0 is said of a sure one alone.
std::string log_probability_text(double value);

}  // namespace headlight
