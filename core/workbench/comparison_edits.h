#pragma once

#include "core/workbench/edit.h"

#include <vector>

namespace headlight {

// What a person does with a comparison.

/// Knobs that the next mechanism has too keep their values, so that the same setting can be seen through
/// both.
ParameterValues carried_over(const ParameterValues& values, const Mechanism& next);

/// The knobs that `next` opens with in place of the session's mechanism: those that a person set and it has
/// too, and else those of its example, whose point shows on any text. Parameters that somebody has given are
/// not passed over for the example. Knobs that the example of the session's mechanism set stay with it.
ParameterValues opening_values(const Session& session, const Mechanism& next);

/// There is room for one more.
bool can_compare_more(const Session& session);

/// Another mechanism beside the session's own, with the knobs that both have, and the view that shows them.
Edit compare_mechanism(Session session, const Mechanism& other);
/// The same with one of one's own.
Edit compare_own_mechanism(Session session, const CustomMechanism& own);
/// Without the mechanism at `index` of session.compared; the rest stays.
Edit remove_compared(Session session, std::size_t index);
/// The mechanism at `index` becomes the session's own, which takes its place.
Edit use_as_main(Session session, std::size_t index);
/// The two mechanisms of an equivalence of the session's own side by side, with the knobs and parameters that
/// make them one.
Edit compare_equivalent(Session session, const Equivalence& equivalence);

/// A mechanism to compare with, and why.
struct ComparisonSuggestion {
    std::string id;
    std::string reason;                        ///< one sentence; may be empty
    const Equivalence* equivalence = nullptr;  ///< of the catalogue, where that is the reason
};
/// What is suggested, beside the session's own mechanism, which stays as it is; with the knobs of the
/// equivalence, if there is one.
Edit compare_suggested(Session session, const ComparisonSuggestion& suggestion);
/// At most `most`: what is the same as the session's own somewhere, what the catalogue relates to it, and its
/// neighbours in the family.
std::vector<ComparisonSuggestion> comparison_suggestions(const Session& session, std::size_t most);

// What a person does with a counterpart of the whole session: its maps are shown as differences.

/// Another text, the same to begin with: what a person then changes is what changes the maps.
Edit compare_with_text(Session session);
Edit type_other_text(Session session, const std::string& text);
/// Another model, by its name or folder; `called` is its title.
Edit compare_with_model(Session session, std::string name, std::string_view called);
Edit end_comparison(Session session);

}  // namespace headlight
