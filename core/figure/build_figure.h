#pragma once

#include "core/analysis/head_overview.h"
#include "core/attention/trace.h"
#include "core/figure/figure.h"
#include "core/image/patches.h"

namespace headlight {

/// The picture of a trace under the settings: what the window shows, what the exporters write and what
/// `headlight render` draws are this one value. `image` is what the trace's tokens are patches of, for the
/// view that lays a stage over it; `overview` what is known of its heads, made where a view asks for it and
/// there is none. Selections outside the trace are clamped. Throws Error when the trace has no stage that the
/// view needs, and when it needs an image and there is none.
Figure build_figure(const Trace& trace, const ViewSettings& settings, const PatchedPicture& image = {},
                    const std::shared_ptr<const HeadOverview>& overview = {});

/// The stages worth a picture, in formula order: what the player's "by stage" walks through. Row-wise stages
/// and stages whose numbers repeat their predecessor's are left out.
std::vector<std::string> visible_stages(const Trace& trace, const std::string& site = {});

/// "Scaled scores" for "scaled_scores"; the name itself when it is unknown.
std::string stage_title(std::string_view stage);
/// The same at a site: "Encoder states (keys)" for the keys of a decoder that looks at the source.
std::string stage_title_at(std::string_view stage, std::string_view site);
/// The same of a stage of a trace: "Implied weights" where a linear layer never forms them.
std::string stage_title(const Trace& trace, const Stage& stage);
/// The same by its name at find_site(), also where the trace has not recorded it.
std::string stage_title(const Trace& trace, std::string_view stage, const std::string& site);

/// The numbers of the view as CSV (RFC 4180): a header of column labels, a row label and a number per cell, a
/// blank line and a title between panels.
std::string to_csv(const Figure& figure);

/// A table as text, a line of titles first; of numbers the shortest digits that bring them back.
std::vector<std::vector<std::string>> lines_of(const NumberTable& table);

}  // namespace headlight
