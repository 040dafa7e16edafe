#pragma once

#include "core/workbench/edit.h"
#include "core/workbench/merge_keys.h"

#include <QUndoGroup>
#include <QUndoStack>

#include <functional>

namespace headlight {

/// The edits of what a person has open, and those inside a lesson, each with a history of its own: nothing of
/// a lesson is ever taken for the person's work. A history is clean while there is nothing to save.
class EditHistory {
public:
    /// `now` is the session that a step begins at; `lead` puts the one that it ends at in its place.
    EditHistory(std::function<const Session&()> now, std::function<void(Session)> lead);
    ~EditHistory();
    EditHistory(const EditHistory&) = delete;
    EditHistory& operator=(const EditHistory&) = delete;

    /// Carries the edit out as a step of the history that is shown. Edits with the same non-empty merge key
    /// that follow one another in one go become one.
    void push(Edit edit);
    /// A person did something else than an edit: those that follow are of another go.
    void part() { keys_.part(); }

    /// The history of what is shown: inside a lesson that of the lesson.
    QUndoStack* shown() { return both_.activeStack(); }
    /// For actions and signals that follow shown() into a lesson and back.
    QUndoGroup* both() { return &both_; }
    QUndoStack* own() { return &own_; }
    const QUndoStack& own() const { return own_; }
    const QUndoStack& lesson() const { return lesson_; }

    void enter_lesson();
    /// What was edited in the lesson so far is nothing to save.
    void keep_lesson() { lesson_.setClean(); }
    /// Back to own(); the history of the lesson is forgotten.
    void leave_lesson();
    /// Forgets own(): something else was opened.
    void clear_own();

private:
    class Step;

    std::function<const Session&()> now_;
    std::function<void(Session)> lead_;
    MergeKeys keys_;
    QUndoStack own_, lesson_;
    QUndoGroup both_;  ///< the active one is that of what is shown
};

}  // namespace headlight
