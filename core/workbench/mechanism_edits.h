#pragma once

#include "core/program/own_formula.h"
#include "core/workbench/edit.h"

#include <functional>

namespace headlight {

// What a person does with the mechanism: one of the catalogue, its knobs, one of their own.

/// `next` in place of what attends, with opening_values() that fit the token vectors. A second sequence that
/// nobody has written yet comes from its example, so that the choice shows something; so does another one
/// than before where the token vectors were in view, by looking at its weights.
Edit choose_mechanism(Session session, const Mechanism& next);
/// One that a person composed earlier, looked at in the same way.
Edit choose_own_mechanism(Session session, const CustomMechanism& own);
/// The text and the knobs of the mechanism's example, in place of what the session reads.
Edit show_example(Session session);

/// A knob at its default is no part of a session.
Edit set_knob(Session session, const MechanismParameter& knob, const ParameterValue& value,
              std::string merge);
Edit reset_knobs(Session session);

/// The mechanism that the session has, as one's own that is called `name`.
Edit build_own(Session session, std::string name);
/// A formula of one's own in place of the mechanism. One that is a person's own already keeps its name.
Edit make_own(Session session, std::string name, const OwnFormula& formula);

// What changes one's own mechanism; without one there is nothing that these could change.

/// A part of its spec as `change` makes it; `part` is what its row is called.
Edit compose_own(Session session, std::string_view part, const std::function<void(AttentionSpec&)>& change,
                 std::string merge);
/// The plainest formula in the place of the parts that a formula says (formula_in_place_of).
Edit write_formula(Session session);
Edit type_formula(Session session, const std::string& text);
/// An empty name changes nothing.
Edit rename_own(Session session, const std::string& name);
/// To the mechanism of the catalogue that it began with.
Edit leave_own(Session session);

}  // namespace headlight
