#pragma once

#include "core/workbench/edit.h"
#include "core/workbench/session_change.h"

namespace headlight {

/// An edit as a step of the undo history: it keeps what was changed and not the texts that both sessions
/// have. Where they look counts only if the edit itself led elsewhere.
class EditStep {
public:
    EditStep(const Session& before, Edit edit);

    const std::string& name() const { return name_; }
    bool may_merge() const { return !merge_.empty(); }
    /// The session before the step, given the one after it.
    Session undone(const Session& after) const;
    /// The session after the step, given the one before it.
    Session done(const Session& before) const;
    /// Becomes both, called as the later one is ("Dimension 16" at the end of a drag), where `later` follows
    /// with the same key and led to the session `after`. False, and as it was, where it does not.
    bool merge(const EditStep& later, const Session& after);
    /// Merged steps may have come back to where they began.
    bool changes_nothing() const { return changes_nothing_; }

private:
    /// `session` from where one looks now, unless the edit itself led there or away; always in the light of
    /// now.
    Session seen(Session session, const ViewState& now) const;

    std::string name_, merge_;
    SessionChange change_;
    bool changes_nothing_ = false;
};

}  // namespace headlight
