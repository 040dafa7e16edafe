// The fields of the editor.

#include "ui/lesson/lesson_editor.h"

#include "core/io/checkpoint_file.h"
#include "core/lesson/lesson_file.h"
#include "ui/actions/shortcuts.h"
#include "ui/lesson/question_form.h"
#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/typed_text.h"
#include "ui/views/whole_number_box.h"
#include "ui/views/word_at_minimum.h"

#include <QAction>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QVBoxLayout>

namespace headlight {
namespace {

/// Small words on as many lines as they need: what `field` is for, where it is given.
QLabel* small_note(const QString& words, QWidget* field = nullptr) {
    auto* note = new QLabel(words);
    note->setWordWrap(true);
    make_note(*note);
    note->setBuddy(field);
    return note;
}

}  // namespace

QPushButton* LessonEditor::made_button(const char* id, const QString& words, const QString& effect) {
    auto* button = new QPushButton;
    button->setObjectName(QLatin1String(id));
    name_button(*button, words, effect);
    return button;
}

void LessonEditor::name_button(QPushButton& button, const QString& words, const QString& effect) {
    button.setText(words);
    describe(&button, button.objectName(), QString(words).remove(u'&'), effect);
}

QWidget* LessonEditor::build_head() {
    auto* head = new QWidget;
    title_ = new QLineEdit;
    summary_ = new QLineEdit;
    minutes_ = new WholeNumberBox;
    order_ = new WholeNumberBox;
    minutes_->setRange(1, 240);
    order_->setRange(0, 1000);
    describe(title_, QStringLiteral("editor_title"), tr("Title"), tr("What the lesson is called"));
    describe(summary_, QStringLiteral("editor_summary"), tr("About"),
             tr("What it is about, in one sentence"));
    describe(minutes_, QStringLiteral("editor_minutes"), tr("Minutes"), tr("How long it takes"));
    show_word_at_minimum(*order_, tr("none"));
    describe(order_, QStringLiteral("editor_order"), tr("Place in a course"),
             tr("Where lessons of yours are given one after another: 1 for the first"));
    auto* numbers = new QHBoxLayout;
    numbers->addWidget(title_, 1);
    numbers->addWidget(new QLabel(tr("Minutes")));
    numbers->addWidget(minutes_);
    numbers->addWidget(new QLabel(tr("Place in a course")));
    numbers->addWidget(order_);
    auto* rows = new QFormLayout(head);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addRow(tr("Title"), numbers);
    rows->addRow(tr("About"), summary_);
    const auto take = [this] {
        if (is_filling_)
            return;
        lesson_.title = title_->text().toStdString();
        lesson_.summary = summary_->text().toStdString();
        lesson_.minutes = minutes_->value();
        lesson_.order = order_->value();
        touch(QStringLiteral("head"));
    };
    for (const QLineEdit* field : {title_, summary_})
        connect(field, &QLineEdit::textChanged, this, take);
    for (const QSpinBox* field : {minutes_, order_})
        connect(field, &QSpinBox::valueChanged, this, take);
    return head;
}

QWidget* LessonEditor::build_steps() {
    auto* part = new QWidget;
    steps_ = new QListWidget;
    steps_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    describe(steps_, QStringLiteral("editor_steps"), tr("Steps"),
             tr("The steps of the lesson, in order; Ctrl and Shift choose several"));
    add_ =
        made_button("editor_add_step", tr("&Add a step"), tr("A new step that shows what the window shows"));
    remove_ = made_button("editor_remove_step", {}, {});  // says how many: show_chosen()
    up_ = made_button("editor_up", tr("Up"), tr("Before the step above it"));
    down_ = made_button("editor_down", tr("Down"), tr("Behind the step below it"));
    auto* order = new QHBoxLayout;
    for (QPushButton* button : {up_, down_, remove_})
        order->addWidget(button);
    undo_ =
        add_history_action(QStringLiteral("editor_undo"), QStringLiteral("edit_undo"), &LessonHistory::undo);
    redo_ =
        add_history_action(QStringLiteral("editor_redo"), QStringLiteral("edit_redo"), &LessonHistory::redo);
    auto* changes = new QHBoxLayout;
    for (QAction* action : {undo_, redo_}) {
        auto* button = new QPushButton(action->text());
        describe(button, action->objectName() + QStringLiteral("_button"), action->text(), action->toolTip());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::enabledChanged, button, [button, action](bool is_possible) {
            button->setEnabled(is_possible);
            button->setToolTip(action->toolTip());  // or what is lacking
        });
        changes->addWidget(button);
    }
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(steps_, 1);
    column->addWidget(add_);
    column->addLayout(order);
    column->addLayout(changes);
    connect(steps_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (is_filling_ || row < 0 || std::size_t(row) == at_)
            return;
        select(std::size_t(row));
        history_.look(at_, part_);
    });
    connect(steps_, &QListWidget::itemSelectionChanged, this, [this] {
        if (is_filling_)
            return;
        // Where a click with Ctrl leaves a single one, fields and buttons are of that, not of the one it
        // left.
        if (const auto left = steps_->selectionModel()->selectedIndexes(); left.size() == 1)
            steps_->setCurrentRow(left.front().row(), QItemSelectionModel::NoUpdate);
        show_chosen();
    });
    connect(add_, &QPushButton::clicked, this, &LessonEditor::add_step);
    connect(remove_, &QPushButton::clicked, this, &LessonEditor::remove_step);
    connect(up_, &QPushButton::clicked, this, [this] { move_step(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { move_step(1); });
    return part;
}

QWidget* LessonEditor::build_step() {
    auto* part = new QWidget;
    make_step_fields();
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(small_note(tr("Title of the step"), step_title_));
    column->addWidget(step_title_);
    column->addWidget(
        small_note(tr("A step is shown in parts. The question is asked with the first part; each reveal "
                      "comes with the answer, or with Next. Every part has a text and a view."),
                   parts_));
    column->addWidget(parts_);
    column->addWidget(small_note(tr("Text of this part"), text_));
    column->addWidget(text_, 1);
    column->addLayout(build_views());
    column->addWidget(question_);
    column->addLayout(build_training());
    column->addWidget(small_note(tr("Notes for whoever presents it"), notes_));
    column->addWidget(notes_);
    take_over_step();
    return part;
}

void LessonEditor::make_step_fields() {
    step_title_ = new QLineEdit;
    parts_ = new QTabBar;
    text_ = new QPlainTextEdit;
    notes_ = new QPlainTextEdit;
    question_ = new QuestionForm(QuestionForm::Place::in_a_step);
    parts_->setExpanding(false);
    parts_->setDocumentMode(true);
    describe(step_title_, QStringLiteral("editor_step_title"), tr("Title of the step"), tr("Its heading"));
    describe(parts_, QStringLiteral("editor_parts"), tr("Parts of the step"),
             tr("What is shown first, and each reveal"));
    describe(text_, QStringLiteral("editor_text"), tr("Text"),
             tr("Markdown; {{weight:it,animal}} is the number that the program writes"));
    text_->setPlaceholderText(tr(
        "What the class reads. **noir** is bold; {{weight:noir,black}} becomes the number that the picture "
        "has in the row of noir and the column of black."));
    describe(notes_, QStringLiteral("editor_notes"), tr("Notes"), tr("For whoever presents it"));
    notes_->setPlaceholderText(tr("What you want to say or to ask; the class does not see it."));
    step_title_->setPlaceholderText(tr("What the step is about"));
    for (QPlainTextEdit* field : {text_, notes_})
        field->setTabChangesFocus(true);
    notes_->setMaximumHeight(4 * fontMetrics().lineSpacing());
}

QLayout* LessonEditor::build_views() {
    auto* take = made_button("editor_take_view", tr("Take the &view"),
                             tr("This part shows what the window shows now"));
    take_in_steps_ = made_button("editor_take_view_in_steps", {}, {});  // says which: show_chosen()
    add_reveal_ = made_button("editor_add_reveal", tr("Add a &reveal"),
                              tr("One more part, which shows what the window shows now"));
    remove_reveal_ =
        made_button("editor_remove_reveal", tr("Remove the reveal"), tr("Takes the last part out"));
    auto* views = new QHBoxLayout;
    for (QPushButton* button : {take, take_in_steps_, add_reveal_, remove_reveal_})
        views->addWidget(button);
    views->addStretch(1);
    connect(take, &QPushButton::clicked, this, &LessonEditor::take_view);
    connect(take_in_steps_, &QPushButton::clicked, this, &LessonEditor::take_view_in_steps);
    connect(add_reveal_, &QPushButton::clicked, this, &LessonEditor::add_reveal);
    connect(remove_reveal_, &QPushButton::clicked, this, &LessonEditor::remove_reveal);
    return views;
}

QLayout* LessonEditor::build_training() {
    training_ = small_note({});
    training_->setObjectName(QStringLiteral("editor_training_said"));
    change_training_ =
        made_button("editor_training", tr("Add a &training"),
                    tr("The class may start it in this step: what the window for training is set to"));
    auto* training = new QHBoxLayout;
    training->addWidget(training_, 1);
    training->addWidget(change_training_);
    connect(change_training_, &QPushButton::clicked, this, [this] {
        if (!step().training) {
            emit training_asked();
            return;
        }
        step().training.reset();
        show_training();
        touch();
    });
    return training;
}

void LessonEditor::take_over_step() {
    const auto when_typed = [this](const char* field, const auto& take_over) {
        return [this, field, take_over] {
            if (is_filling_)
                return;
            take_over();
            touch(typing_in(field));
        };
    };
    connect(step_title_, &QLineEdit::textChanged, this, when_typed("title", [this] {
                step().title = step_title_->text().toStdString();
                steps_->currentItem()->setText(tr("%1  %2").arg(at_ + 1).arg(step_title_->text()));
            }));
    connect(text_, &QPlainTextEdit::textChanged, this, when_typed("text", [this] {
                step().texts[std::size_t(part_)] = typed_text(*text_).toStdString();
            }));
    connect(notes_, &QPlainTextEdit::textChanged, this,
            when_typed("notes", [this] { step().notes = typed_text(*notes_).toStdString(); }));
    connect(question_, &QuestionForm::edited, this, [this] {
        if (is_filling_)
            return;
        const auto asked = question_->question();
        // What another kind of question has no field for goes with the change, which undo takes back.
        const bool is_typing = asked && step().question && asked->kind == step().question->kind;
        step().question = asked;
        touch(is_typing ? typing_in("question") : QString());
    });
    connect(parts_, &QTabBar::currentChanged, this, [this](int shown) {
        if (is_filling_)
            return;
        select_part(shown);
        history_.look(at_, part_);
    });
}

}  // namespace headlight
