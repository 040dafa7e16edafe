#include "ui/lesson/lesson_editor.h"

#include "core/io/checkpoint_file.h"
#include "core/lesson/lesson_file.h"
#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"
#include "ui/lesson/question_form.h"
#include "ui/models/counted_text.h"
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
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace headlight {
namespace {

/// From the first change to the write.
constexpr std::chrono::milliseconds longest_delay{1'500};

}  // namespace

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
    show_chosen();
    add_reveal_->setEnabled(step().states.size() <= most_lesson_reveals);
    remove_reveal_->setEnabled(step().states.size() > 1);
    show_training();
    is_filling_ = false;
    select_part(part_);
}

std::vector<std::size_t> LessonEditor::chosen_steps() const {
    std::vector<std::size_t> chosen;
    for (int row = 0; row < steps_->count(); ++row)
        if (steps_->item(row)->isSelected())
            chosen.push_back(std::size_t(row));
    return chosen.size() > 1 ? chosen : std::vector<std::size_t>();
}

void LessonEditor::show_chosen() {
    const std::size_t steps = lesson_.steps.size(), chosen = chosen_steps().size();
    add_->setEnabled(steps < most_lesson_steps);
    remove_->setEnabled(std::max<std::size_t>(chosen, 1) < steps);
    up_->setEnabled(chosen == 0 && at_ > 0);
    down_->setEnabled(chosen == 0 && at_ + 1 < steps);
    if (chosen == 0) {
        name_button(*remove_, tr("Remove"), tr("Takes this step out"));
        name_button(*take_in_steps_, tr("Take it in &every step"),
                    tr("Each part of every step shows what the window shows now. For some of the steps, "
                       "choose them in the list, with Ctrl or Shift"));
    } else {
        name_button(*remove_, tr("Remove %1").arg(chosen), tr("Takes the chosen steps out"));
        name_button(*take_in_steps_, tr("Take it in th&ese %1 steps").arg(chosen),
                    tr("Each part of the steps that are chosen in the list shows what the window shows now"));
    }
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
    std::vector<std::size_t> gone = chosen_steps();
    if (gone.empty())
        gone = {at_};
    for (auto step = gone.rbegin(); step != gone.rend(); ++step)
        lesson_.steps.erase(lesson_.steps.begin() + std::ptrdiff_t(*step));
    at_ = std::min(gone.front(), lesson_.steps.size() - 1);
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

void LessonEditor::take_view_in_steps() {
    std::vector<std::size_t> taking = chosen_steps();
    if (taking.empty()) {
        taking.resize(lesson_.steps.size());
        std::iota(taking.begin(), taking.end(), std::size_t(0));
    }
    for (const std::size_t step : taking)
        std::ranges::fill(lesson_.steps[step].states, document_.session());
    say(tr("Each part of %1 shows what the window shows. Undo brings back what was there.")
            .arg(counted_text(std::ssize(taking), "step")));
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

QAction* LessonEditor::add_history_action(const QString& id, const QString& keys,
                                          const LessonHistory::State& (LessonHistory::*way)()) {
    QAction* action = make_action(id, this);
    give_keys(*action, keys);
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
