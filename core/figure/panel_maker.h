#pragma once

#include "core/analysis/displayed_weights.h"
#include "core/analysis/head_overview.h"
#include "core/attention/forbidden_pairs.h"
#include "core/figure/figure.h"
#include "core/figure/fitted_scale.h"
#include "core/figure/stage_chain.h"

#include <map>
#include <optional>

namespace headlight {

/// Cuts panels out of one site of a trace. Keeps what panels share: colour scales, so that a colour means the
/// same in every panel of related stages and of the heads that are drawn, and the cells that the mask
/// forbids.
class PanelMaker {
public:
    /// `overview` is of the trace; without one it is made when it is asked for.
    PanelMaker(const Trace& trace, const ViewSettings& settings,
               std::shared_ptr<const HeadOverview> overview = {});

    const Trace& trace() const { return trace_; }
    const StageChain& chain() const { return chain_; }
    const ViewSettings& settings() const { return settings_; }
    /// Returns the overview of every head, which takes longer than a frame where nobody has made it before:
    /// only views that say so (View::reads_every_head) ask.
    const HeadOverview& overview() const { return *shared_overview(); }
    const std::shared_ptr<const HeadOverview>& shared_overview() const;
    /// The same if somebody has made or asked for it, else null.
    const HeadOverview* known_overview() const { return overview_.get(); }
    Index heads() const { return heads_; }
    /// The selected head, inside the trace.
    Index head() const { return head_; }
    /// The selected query, inside the trace.
    Index query() const { return query_; }
    /// The selected stage if it was recorded, else the weights, else the last stage. Throws Error when there
    /// is none.
    std::string stage() const;

    struct Options {
        bool transposed = false;
        bool thumbnail = false;
        bool axis_hints = true;  ///< "query (who looks)" instead of "query"
        /// A column of a typed formula, which is recorded as a row for each head, stands as one beside maps.
        bool stands = false;
    };
    /// Throws Error when the stage was not recorded.
    Panel panel(const std::string& stage, Index head, const Options& options) const;
    Panel panel(const std::string& stage, Index head) const { return panel(stage, head, Options()); }

    /// "Weights", "Implied weights", or what is drawn in their place: what pictures call the stage.
    std::string title(const std::string& stage) const;
    /// stage_subtitle(), and that a person has changed the stage, where that is so.
    std::string subtitle(const std::string& stage, Index head) const;

    /// How many heads a stage is drawn with: 1 for those that belong to all heads together.
    Index heads_of(const std::string& stage) const;
    /// The selected head, among those that a stage has: a group of query heads shares one of keys and values.
    Index head_in(const std::string& stage) const;
    /// Those of FigureOptions::heads that a stage has; the selected one where none is.
    std::vector<Index> chosen_heads(const std::string& stage) const;
    bool is_query_by_key(const std::string& stage) const;
    /// Its panels have tiles in place of numbers: see View::draws_large_maps.
    bool is_large(const std::string& stage) const;
    /// Whether some weights of the stage's rows are missing: what they sum to, and what a hidden key would
    /// leave to the others, is then not known.
    bool is_sparse(const std::string& stage) const;
    /// Throws Error where the weights are sparse rows: a statistic of what is there would be none of the
    /// rows.
    void require_whole_rows(const std::string& what) const;
    /// They are the weights that a linear layer implies and never forms.
    bool is_implied(const std::string& stage) const;

    /// What is drawn of its weights is not what was recorded: the settings have keys hidden, or norms in
    /// their place.
    bool is_seen_otherwise(const std::string& stage) const {
        return hides_keys(stage) || has_norms(stage) || is_pooled(stage) || pools_layers(stage);
    }
    /// One map is drawn in place of those of all its heads.
    bool is_pooled(const std::string& stage) const;
    /// One map is drawn in place of those of all layers of the site's kind, head by head unless it is
    /// is_pooled(), too.
    bool pools_layers(const std::string& stage) const;
    /// It is attention rollout.
    bool is_rollout(const std::string& stage) const;
    /// Norms of what keys give are drawn in place of its weights.
    bool has_norms(const std::string& stage) const;
    /// Returns all numbers of a stage that is seen otherwise and kept, and what hidden keys had of them, mean
    /// over the heads.
    DisplayedWeights::Rows numbers(const std::string& stage) const;
    /// Rows of a map of any size, as they are drawn: [count, key].
    DisplayedWeights::Rows rows(const std::string& stage, Index head, Index first, Index count) const;

    /// [query, key] of a panel of the stage, 1 = forbidden by the mask, which a capture may know as well, or
    /// by the head's own selection; of pooled heads and layers what is forbidden to every one. Empty when
    /// nothing is.
    std::vector<std::uint8_t> forbidden(const std::string& stage, Index head) const;

    /// The stage is drawn without the keys that the settings hide.
    bool hides_keys(const std::string& stage) const;

private:
    bool is_of_weights(const std::string& stage) const;
    /// One number for each query or key, in lines of a typed formula [n, 1].
    bool is_typed_column(const Stage& stage) const;
    Index recorded_heads(const std::string& stage) const;
    const DisplayedWeights& seen() const;
    /// How many layers one map stands for; 0 where it is one layer's.
    Index layers_of(const std::string& stage) const;
    /// The same of one head of a site.
    std::vector<std::uint8_t> forbidden_at(const std::string& site, Index head) const;
    /// What is forbidden to all heads at a site.
    std::vector<std::uint8_t> forbidden_to_all(const std::string& site, Index heads) const;
    /// The heads whose numbers say how far the colours of a stage go: those that are drawn where the range
    /// follows the numbers shown, else all, so that a colour means the same in each.
    std::vector<Index> ranged_heads(const std::string& stage) const;
    /// [query, key] of a head, 1 = the pair counts for no end of the colours: see range_of_numbers(). Empty
    /// where all do.
    std::vector<std::uint8_t> left_out(const std::string& stage, Index head) const;
    /// Returns the range of what was recorded of a stage, or of what is_seen_otherwise(); empty where it has
    /// no numbers here.
    NumberRange range_of_stage(const std::string& stage, bool is_otherwise) const;
    /// Returns the numbers of these stages that count: what percentiles are counted from.
    std::vector<double> sample_of(const std::vector<std::string>& stages) const;
    ColourScale scale(const std::string& stage) const;
    /// The stage whose colours it has: its own, or those of one that readers compare it with.
    std::string colours_of(const std::string& stage) const;
    /// A forbidden pair has no number any more.
    static bool shows_mask(const std::string& stage);
    /// [row, column] of a head's map, 1 = a person set it; empty when nothing is.
    std::vector<std::uint8_t> set_by_hand(const Panel& panel) const;
    /// [row], 1 = every key is forbidden; empty when no row is so.
    std::vector<std::uint8_t> fully_masked(const Panel& panel) const;

    const Trace& trace_;
    ViewSettings settings_;
    StageChain chain_;
    Index heads_ = 1, head_ = 0, query_ = 0;
    /// By site, as they are asked for.
    mutable std::map<std::string, ForbiddenPairs> forbidden_;
    mutable std::map<std::string, ColourScale> scales_;
    mutable std::shared_ptr<const HeadOverview> overview_;
    mutable std::optional<DisplayedWeights> seen_;
};

}  // namespace headlight
