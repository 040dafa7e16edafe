#pragma once

#include "core/attention/trace.h"

#include <string>
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
};

/// The site that is meant: `wanted` if some stage has it, else the first recorded one.
std::string find_site(const Trace& trace, const std::string& wanted);

bool is_score_stage(std::string_view stage);   ///< declared as StageRole::scores
bool is_weight_stage(std::string_view stage);  ///< ... as StageRole::weights

}  // namespace headlight
