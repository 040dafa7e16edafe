#include "ui/models/edit_history.h"

#include "core/workbench/edit_step.h"
#include "ui/models/menu_text.h"

#include <QUndoCommand>

#include <chrono>
#include <utility>

namespace headlight {

/// A step of the workbench on a stack of Qt.
class EditHistory::Step : public QUndoCommand {
public:
    Step(EditHistory& history, Edit edit) : history_(history), step_(history.now_(), std::move(edit)) {
        show_name();
    }

    void undo() override {
        history_.part();  // also from what follows redo(), which push() calls as well
        history_.lead_(step_.undone(history_.now_()));
    }
    void redo() override { history_.lead_(step_.done(history_.now_())); }
    int id() const override { return step_.may_merge() ? 1 : -1; }
    bool mergeWith(const QUndoCommand* other) override {
        // By now the session is the one at the end of the later step.
        const bool are_one = step_.merge(static_cast<const Step*>(other)->step_, history_.now_());
        if (are_one) {
            show_name();
            setObsolete(step_.changes_nothing());
        }
        return are_one;
    }

private:
    void show_name() { setText(menu_text(QString::fromStdString(step_.name()))); }

    EditHistory& history_;
    EditStep step_;
};

EditHistory::EditHistory(std::function<const Session&()> now, std::function<void(Session)> lead)
    : now_(std::move(now)), lead_(std::move(lead)) {
    for (QUndoStack* stack : {&own_, &lesson_}) {
        stack->setUndoLimit(2000);
        both_.addStack(stack);
    }
    both_.setActiveStack(&own_);
}

EditHistory::~EditHistory() {
    both_.disconnect();
    for (QUndoStack* stack : {&own_, &lesson_}) {
        // Its commands refer to this history.
        stack->disconnect();
        stack->clear();
    }
}

void EditHistory::push(Edit edit) {
    edit.merge = keys_.key_of(edit.merge, std::chrono::steady_clock::now());
    shown()->push(new Step(*this, std::move(edit)));
}

void EditHistory::enter_lesson() {
    part();
    both_.setActiveStack(&lesson_);
}

void EditHistory::leave_lesson() {
    part();
    both_.setActiveStack(&own_);
    lesson_.clear();
    lesson_.setClean();
}

void EditHistory::clear_own() {
    own_.clear();
    own_.setClean();  // which clear() leaves as it is where no edit was made since resetClean()
}

}  // namespace headlight
