#include "ui/lesson/lesson_editor.h"

#include "core/io/checkpoint_file.h"
#include "core/lesson/lesson_file.h"
#include "ui/actions/shortcuts.h"
#include "ui/lesson/question_form.h"
#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
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
#include <QToolButton>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace headlight {
namespace {

/// From the first change to the write.
constexpr std::chrono::milliseconds longest_delay{1'500};

}  // namespace

QPushButton* LessonEditor::made_button(const char* id, const QString& words, const QString& effect) {
    auto* button = new QPushButton(words);
    describe(button, QLatin1String(id), QString(words).remove(u'&'), effect);
    return button;
}

LessonEditor::LessonEditor(Document& document, std::filesystem::path drafts, QWidget* window)
    : QWidget(window, Qt::Window), document_(document), draft_(std::move(drafts)) {
    setObjectName(QStringLiteral("lesson_editor"));
    setWindowTitle(tr("Make a lesson"));
    resize(110 * fontMetrics().averageCharWidth(), 44 * fontMetrics().height());
    auto* middle = new QHBoxLayout;
    middle->addWidget(build_steps(), 1);
    middle->addWidget(build_step(), 3);
    said_ = new QLabel;
    said_->setObjectName(QStringLiteral("editor_said"));
    said_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(build_head());
    column->addLayout(middle, 1);
    column->addWidget(said_);
    column->addWidget(build_buttons());
    keeping_.setSingleShot(true);
    keeping_.setInterval(longest_delay);
    connect(&keeping_, &QTimer::timeout, this, &LessonEditor::keep);
    begin_with_draft();
    QStringList told;
    for (const Error& error : draft_.unreadable())
        told += tr("What was written before cannot be read, and is left as it is: %1")
                    .arg(QString::fromStdString(error.what()));
    if (const auto others = draft_.others(); !others.empty())
        told += tr("What was written in another window, “%1”, is under New.")
                    .arg(QString::fromStdString(others.front().title));
    say(told.join(u'\n'));
}

void LessonEditor::begin_with_draft() {
    is_unsaved_ = draft_.found().has_value();
    Lesson first = is_unsaved_ ? *draft_.found() : empty_lesson();
    first.id = "draft";
    edit(std::move(first));
}

Lesson LessonEditor::empty_lesson() const {
    Lesson lesson;
    lesson.id = "draft";
    lesson.title = tr("A lesson").toStdString();
    lesson.steps.push_back(recorded_step(tr("The first step")));
    return lesson;
}

LessonEditor::~LessonEditor() {
    if (keeping_.isActive())
        keep();
}

QWidget* LessonEditor::build_head() {
    auto* head = new QWidget;
    title_ = new QLineEdit;
    summary_ = new QLineEdit;
    minutes_ = new QSpinBox;
    order_ = new QSpinBox;
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
    describe(steps_, QStringLiteral("editor_steps"), tr("Steps"), tr("The steps of the lesson, in order"));
    add_ =
        made_button("editor_add_step", tr("&Add a step"), tr("A new step that shows what the window shows"));
    remove_ = made_button("editor_remove_step", tr("Remove"), tr("Takes this step out"));
    up_ = made_button("editor_up", tr("Up"), tr("Before the step above it"));
    down_ = made_button("editor_down", tr("Down"), tr("Behind the step below it"));
    auto* order = new QHBoxLayout;
    for (QPushButton* button : {up_, down_, remove_})
        order->addWidget(button);
    undo_ = add_history_action(QStringLiteral("editor_undo"), QStringLiteral("edit_undo"), tr("Undo"),
                               tr("Takes back the last change of the lesson"), &LessonHistory::undo);
    redo_ = add_history_action(QStringLiteral("editor_redo"), QStringLiteral("edit_redo"), tr("Redo"),
                               tr("Makes it again"), &LessonHistory::redo);
    auto* changes = new QHBoxLayout;
    for (QAction* action : {undo_, redo_}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        describe(button, action->objectName() + QStringLiteral("_button"), action->text(), action->toolTip());
        give_role(*button, Role::chip);
        changes->addWidget(button);
    }
    changes->addStretch(1);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(steps_, 1);
    column->addWidget(add_);
    column->addLayout(order);
    column->addLayout(changes);
    connect(steps_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (is_filling_ || row < 0)
            return;
        select(std::size_t(row));
        history_.look(at_, part_);
    });
    connect(add_, &QPushButton::clicked, this, &LessonEditor::add_step);
    connect(remove_, &QPushButton::clicked, this, &LessonEditor::remove_step);
    connect(up_, &QPushButton::clicked, this, [this] { move_step(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { move_step(1); });
    return part;
}

QWidget* LessonEditor::build_step() {
    auto* part = new QWidget;
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
    auto* take = made_button("editor_take_view", tr("Take the &view"),
                             tr("This part shows what the window shows now"));
    add_reveal_ = made_button("editor_add_reveal", tr("Add a &reveal"),
                              tr("One more part, which shows what the window shows now"));
    remove_reveal_ =
        made_button("editor_remove_reveal", tr("Remove the reveal"), tr("Takes the last part out"));
    auto* views = new QHBoxLayout;
    for (QPushButton* button : {take, add_reveal_, remove_reveal_})
        views->addWidget(button);
    views->addStretch(1);
    const auto label = [](const QString& words, QWidget* of) {
        auto* made = new QLabel(words);
        made->setWordWrap(true);
        make_note(*made);
        made->setBuddy(of);
        return made;
    };
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(label(tr("Title of the step"), step_title_));
    column->addWidget(step_title_);
    column->addWidget(
        label(tr("A step is shown in parts. The question is asked with the first part; each reveal "
                 "comes with the answer, or with Next. Every part has a text and a view."),
              parts_));
    column->addWidget(parts_);
    column->addWidget(label(tr("Text of this part"), text_));
    column->addWidget(text_, 1);
    column->addLayout(views);
    column->addWidget(question_);
    training_ = label({}, nullptr);
    training_->setObjectName(QStringLiteral("editor_training_said"));
    change_training_ =
        made_button("editor_training", tr("Add a &training"),
                    tr("The class may start it in this step: what the window for training is set to"));
    auto* training = new QHBoxLayout;
    training->addWidget(training_, 1);
    training->addWidget(change_training_);
    column->addLayout(training);
    connect(change_training_, &QPushButton::clicked, this, [this] {
        if (!step().training) {
            emit training_asked();
            return;
        }
        step().training.reset();
        show_training();
        touch();
    });
    column->addWidget(label(tr("Notes for whoever presents it"), notes_));
    column->addWidget(notes_);
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
                step().texts[std::size_t(part_)] = text_->toPlainText().toStdString();
            }));
    connect(notes_, &QPlainTextEdit::textChanged, this,
            when_typed("notes", [this] { step().notes = notes_->toPlainText().toStdString(); }));
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
    connect(take, &QPushButton::clicked, this, &LessonEditor::take_view);
    connect(add_reveal_, &QPushButton::clicked, this, &LessonEditor::add_reveal);
    connect(remove_reveal_, &QPushButton::clicked, this, &LessonEditor::remove_reveal);
    return part;
}

void LessonEditor::edit(Lesson lesson) {
    lesson_ = std::move(lesson);
    at_ = 0;
    show_lesson();
    history_.begin({lesson_, at_, part_});
    show_history();
    say({});
}

LessonStep LessonEditor::recorded_step(const QString& title) const {
    LessonStep step;
    step.title = title.toStdString();
    step.texts.resize(1);
    step.states.push_back(document_.session());
    return step;
}

void LessonEditor::show_lesson() {
    is_filling_ = true;
    title_->setText(QString::fromStdString(lesson_.title));
    summary_->setText(QString::fromStdString(lesson_.summary));
    summary_->home(false);  // a sentence is read from its beginning
    minutes_->setValue(lesson_.minutes);
    order_->setValue(lesson_.order);
    is_filling_ = false;
    list_steps();
    select(at_);
}

void LessonEditor::list_steps() {
    is_filling_ = true;
    steps_->clear();
    for (std::size_t i = 0; i < lesson_.steps.size(); ++i)
        steps_->addItem(tr("%1  %2").arg(i + 1).arg(QString::fromStdString(lesson_.steps[i].title)));
    steps_->setCurrentRow(int(at_));
    is_filling_ = false;
}

void LessonEditor::select(std::size_t step) {
    at_ = step;
    part_ = 0;
    show_step();
}

void LessonEditor::select_part(int part) {
    part_ = part;
    is_filling_ = true;
    text_->setPlainText(QString::fromStdString(step().texts[std::size_t(part)]));
    is_filling_ = false;
}

void LessonEditor::show_step() {
    is_filling_ = true;
    step_title_->setText(QString::fromStdString(step().title));
    while (parts_->count() > 0)
        parts_->removeTab(0);
    for (std::size_t i = 0; i < step().states.size(); ++i)
        parts_->addTab(i == 0 ? tr("Shown first") : tr("Reveal %1").arg(i));
    parts_->setCurrentIndex(part_);
    question_->show_question(step().question);
    notes_->setPlainText(QString::fromStdString(step().notes));
    add_->setEnabled(lesson_.steps.size() < most_lesson_steps);
    remove_->setEnabled(lesson_.steps.size() > 1);
    up_->setEnabled(at_ > 0);
    down_->setEnabled(at_ + 1 < lesson_.steps.size());
    add_reveal_->setEnabled(step().states.size() <= most_lesson_reveals);
    remove_reveal_->setEnabled(step().states.size() > 1);
    show_training();
    is_filling_ = false;
    select_part(part_);
}

void LessonEditor::add_step() {
    lesson_.steps.insert(lesson_.steps.begin() + std::ptrdiff_t(at_) + 1, recorded_step(tr("A step")));
    ++at_;
    list_steps();
    select(at_);
    step_title_->setFocus();
    step_title_->selectAll();
    touch();
}

void LessonEditor::remove_step() {
    lesson_.steps.erase(lesson_.steps.begin() + std::ptrdiff_t(at_));
    at_ = std::min(at_, lesson_.steps.size() - 1);
    list_steps();
    select(at_);
    touch();
}

void LessonEditor::move_step(int by) {
    const std::size_t there = at_ + std::size_t(by);
    std::swap(lesson_.steps[at_], lesson_.steps[there]);
    at_ = there;
    list_steps();
    select(at_);
    touch();
}

void LessonEditor::take_view() {
    step().states[std::size_t(part_)] = document_.session();
    say(tr("This part shows what the window shows."));
    touch();
}

void LessonEditor::add_reveal() {
    step().states.push_back(document_.session());
    step().texts.emplace_back();
    part_ = int(step().states.size()) - 1;
    show_step();
    text_->setFocus();
    touch();
}

void LessonEditor::remove_reveal() {
    step().states.pop_back();
    step().texts.pop_back();
    part_ = std::min(part_, int(step().states.size()) - 1);
    show_step();
    touch();
}

void LessonEditor::show_training() {
    const auto& training = step().training;
    training_->setText(training ? tr("“Train it here” in this step begins %1.")
                                      .arg(QString::fromStdString(prepare(training->recipe).name))
                                : tr("Nothing is trained in this step."));
    change_training_->setText(training ? tr("Remove the &training") : tr("Add a &training"));
}

void LessonEditor::take_training(LessonTraining training) {
    // What a lesson's file has no field for.
    Recipe said = training.recipe;
    said.copies = false;
    said.coverage_loss = 0;
    said.style.reset();
    const bool has_knobs = !said.values.empty() || !said.attentions.empty();
    if (has_knobs || difference(prepare(said).settings, prepare(training.recipe).settings))
        return say(
            tr("A lesson cannot say knobs of a mechanism, a list of layers, copying, coverage or another "
               "decoder than usual: set these back in the window for training."));
    training.recipe = std::move(said);
    step().training = std::move(training);
    show_training();
    say({});
    touch();
}

void LessonEditor::touch(const QString& merge) {
    keep_soon();
    history_.add({lesson_, at_, part_}, merge);
    show_history();
}

void LessonEditor::keep_soon() {
    is_unsaved_ = true;
    if (!keeping_.isActive())  // from the first change on: whoever types without a pause is kept up with
        keeping_.start();
}

QString LessonEditor::typing_in(const char* field) const {
    return QStringLiteral("%1 %2 %3").arg(QLatin1String(field)).arg(at_).arg(part_);
}

QAction* LessonEditor::add_history_action(const QString& id, const QString& keys, const QString& words,
                                          const QString& effect,
                                          const LessonHistory::State& (LessonHistory::*way)()) {
    auto* action = new QAction(words, this);
    action->setObjectName(id);
    give_keys(*action, keys);
    action->setToolTip(effect);
    addAction(action);
    connect(action, &QAction::triggered, this, [this, way] {
        const LessonHistory::State& state = (history_.*way)();
        const std::string folder = lesson_.source;  // where it is saved is no change of it
        lesson_ = state.lesson;
        lesson_.source = folder;
        at_ = state.step;
        show_lesson();
        parts_->setCurrentIndex(state.part);
        keep_soon();
        show_history();
    });
    return action;
}

void LessonEditor::show_history() {
    undo_->setEnabled(history_.can_undo());
    redo_->setEnabled(history_.can_redo());
}

void LessonEditor::say(const QString& words) {
    said_->setText(words);
    said_->setVisible(!words.isEmpty());
}

}  // namespace headlight
