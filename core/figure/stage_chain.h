#pragma once

#include "core/attention/declared_stage.h"
#include "core/attention/trace.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The recorded stages of one site as a reader meets them: a stage whose numbers are those of the stage
/// before it (the query of a mechanism without projections, scores that nothing scales) is shown by that one.
class StageChain {
public:
    StageChain(const Trace& trace, std::string site);

    const std::string& site() const { return site_; }
    /// In formula order, each with numbers of its own.
    const std::vector<std::string>& visible() const { return visible_; }
    bool is_recorded(std::string_view stage) const;
    const std::vector<std::string>& recorded() const { return recorded_; }
    /// What is declared of a stage by what ran at the site, else by whoever has one of the name; null where
    /// nobody does.
    const DeclaredStage* declared(std::string_view stage) const;
    bool is_score_stage(std::string_view stage) const;  ///< declared as StageRole::scores
    /// Both were recorded, `first` before `second`.
    bool is_before(std::string_view first, std::string_view second) const;
    /// The visible stage that has the numbers of `stage`; empty when that was not recorded.
    std::string shown_by(std::string_view stage) const;
    /// The last visible stage before `stage` among scores, scaled, biased and masked scores; empty if none.
    std::string scores_before(std::string_view stage) const;

private:
    std::string predecessor(std::string_view stage) const;

    std::string site_;
    std::vector<std::string> recorded_, visible_, shown_by_;
    std::vector<std::shared_ptr<const DeclaredStage>> declared_;  ///< of each that is recorded
};

/// The site that is meant: `wanted` if some stage has it, else the first recorded one.
std::string find_site(const Trace& trace, const std::string& wanted);

bool is_weight_stage(std::string_view stage);  ///< declared as StageRole::weights

}  // namespace headlight
