#include "ui/lesson/lesson_editor.h"

#include "core/io/checkpoint_file.h"
#include "core/lesson/lesson_file.h"
#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"
#include "ui/lesson/question_form.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/models/training_title.h"
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

QString undo_key() {
    const QString key = key_text(QStringLiteral("edit_undo"));
    return key.isEmpty() ? LessonEditor::tr("Undo") : key;
}

/// What a view that is taken is another one in than what was recorded before.
struct Replaced {
    bool sentence = false, who_attends = false, view = false, row = false;

    void add(const Session& before, const Session& taken) {
        Session rest = before;  // with what the others tell of
        rest.sequence = taken.sequence;
        rest.figure = taken.figure;
        rest.exported = taken.exported;
        rest.view = taken.view;
        const bool speak_both = rest.model && taken.model;
        if (speak_both)
            rest.model->request = taken.model->request;
        ViewState look = before.view;
        look.selection = taken.view.selection;
        look.theme = taken.view.theme;  // a lesson has that of the window
        sentence = sentence || before.sequence != taken.sequence ||
                   (speak_both && before.model->request != taken.model->request);
        who_attends = who_attends || rest != taken;
        view = view || look != taken.view || before.figure != taken.figure;
        row = row || before.view.selection != taken.view.selection;
    }
    QString told() const {
        QStringList parts;
        if (sentence)
            parts += LessonEditor::tr("the sentence");
        if (who_attends)
            parts += LessonEditor::tr("the mechanism or model");
        if (view)
            parts += LessonEditor::tr("the view");
        if (row)
            parts += LessonEditor::tr("the row");
        return parts.join(LessonEditor::tr(", "));
    }
};

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
                    tr("Puts the sentence, the mechanism or model, the view and the row of the window in "
                       "place of those of each part of every step; texts and questions stay. %1 takes it "
                       "back. For some of the steps, choose them in the list, with Ctrl or Shift")
                        .arg(undo_key()));
    } else {
        name_button(*remove_, tr("Remove %1").arg(chosen), tr("Takes the chosen steps out"));
        name_button(*take_in_steps_, tr("Take it in th&ese %1 steps").arg(chosen),
                    tr("Puts the sentence, the mechanism or model, the view and the row of the window in "
                       "place of those of each part of the steps that are chosen in the list; texts and "
                       "questions stay. %1 takes it back")
                        .arg(undo_key()));
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
    Replaced replaced;
    for (const std::size_t step : taking)
        for (Session& state : lesson_.steps[step].states) {
            replaced.add(state, document_.session());
            state = document_.session();
        }
    const QString steps = counted_text(std::ssize(taking), "step"), parts = replaced.told();
    if (parts.isEmpty())
        return say(tr("Each part of %1 shows what the window shows already.").arg(steps));
    say(tr("Each part of %1 shows what the window shows. Replaced: %2. %3 takes it back.")
            .arg(steps, parts, undo_key()));
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
    training_->setText(
        training ? tr("“Train it here” in this step begins %1.").arg(training_title(training->recipe))
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
        // Where the views of several steps change at once, that of the step that is written can be seen in
        // it. What else changes is where it was changed.
        const auto &before = lesson_.steps, &after = state.lesson.steps;
        const bool is_changed_here = before.size() == after.size() &&
                                     before[at_].states.size() == after[at_].states.size() &&
                                     before[at_].states != after[at_].states;
        const std::size_t there = is_changed_here ? at_ : state.step;
        const int part = is_changed_here ? part_ : state.part;
        const std::string folder = lesson_.source;  // where it is saved is no change of it
        lesson_ = state.lesson;
        lesson_.source = folder;
        at_ = there;
        show_lesson();
        parts_->setCurrentIndex(part);
        history_.look(at_, part_);
        say({});  // it was said of what is taken back
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
