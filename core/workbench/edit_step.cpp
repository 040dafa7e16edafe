#include "core/workbench/edit_step.h"

#include <utility>

namespace headlight {

EditStep::EditStep(const Session& before, Edit edit)
    : name_(std::move(edit.name)), merge_(std::move(edit.merge)), change_(before, std::move(edit.after)) {}

Session EditStep::undone(const Session& after) const { return seen(change_.undone(after), after.view); }

Session EditStep::done(const Session& before) const { return seen(change_.done(before), before.view); }

bool EditStep::merge(const EditStep& later, const Session& after) {
    if (merge_.empty() || later.merge_ != merge_)
        return false;
    const Session between = later.change_.undone(after);
    Session first = change_.undone(between), last = later.change_.done(between);
    changes_nothing_ = same_edits(first, last);
    name_ = later.name_;
    change_ = SessionChange(std::move(first), std::move(last));
    return true;
}

Session EditStep::seen(Session session, const ViewState& now) const {
    if (same_place(change_.view_before(), change_.view_after()))
        session.view = now;
    session.view.theme = now.theme;
    return session;
}

}  // namespace headlight
