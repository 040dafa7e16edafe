#include "ui/lesson/lesson_editor.h"

#include "core/io/session_words.h"
#include "core/lesson/lesson_file.h"
#include "core/lesson/lesson_runs.h"
#include "core/tensor/error.h"
#include "ui/lesson/question_form.h"
#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace headlight {
namespace {

/// Is typing of a person who has stopped for a moment.
constexpr std::chrono::milliseconds pause{1'500};

QPushButton* made_button(const char* id, const QString& words, const QString& effect) {
    auto* button = new QPushButton(words);
    describe(button, QLatin1String(id), QString(words).remove(u'&'), effect);
    return button;
}

}  // namespace

LessonEditor::LessonEditor(Document& document, std::filesystem::path draft, QWidget* window)
    : QWidget(window, Qt::Window), document_(document), draft_(std::move(draft)) {
    setObjectName(QStringLiteral("lesson_editor"));
    setWindowTitle(tr("Make a lesson"));
    resize(110 * fontMetrics().averageCharWidth(), 44 * fontMetrics().height());
    auto* middle = new QHBoxLayout;
    middle->addWidget(build_steps(), 1);
    middle->addWidget(build_step(), 3);
    said_ = new QLabel;
    said_->setObjectName(QStringLiteral("editor_said"));
    said_->setWordWrap(true);
    auto* open = made_button("editor_open", tr("&Open…"), tr("A lesson's folder"));
    auto* save =
        made_button("editor_save", tr("&Save as…"), tr("Writes lesson.md and lesson.json into a folder"));
    auto* checks = made_button("editor_check", tr("&Check the numbers"),
                               tr("Runs every step and looks for each number in braces"));
    auto* play = made_button("editor_play", tr("&Play"), tr("Goes through it in the window"));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {open, save})
        buttons->addWidget(button);
    buttons->addStretch(1);
    for (QPushButton* button : {checks, play})
        buttons->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->addWidget(build_head());
    column->addLayout(middle, 1);
    column->addWidget(said_);
    column->addLayout(buttons);

    connect(open, &QPushButton::clicked, this, [this] {
        if (const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a lesson's folder"));
            !folder.isEmpty())
            open_folder(folder);
    });
    connect(save, &QPushButton::clicked, this, [this] {
        if (const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder for the lesson"));
            !folder.isEmpty())
            save_to(folder);
    });
    connect(checks, &QPushButton::clicked, this, &LessonEditor::check);
    connect(play, &QPushButton::clicked, this, [this] { emit play_asked(lesson_); });
    keeping_.setSingleShot(true);
    keeping_.setInterval(pause);
    connect(&keeping_, &QTimer::timeout, this, &LessonEditor::keep);
    Lesson first;
    try {
        first = read_lesson(draft_);
    } catch (const Error&) {
        // The first lesson that is made here.
        first.title = tr("A lesson").toStdString();
        first.steps.push_back(recorded_step(tr("The first step")));
    }
    first.id = "draft";
    edit(std::move(first));
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
    describe(order_, QStringLiteral("editor_order"), tr("Place"), tr("Its place in the course"));
    auto* numbers = new QHBoxLayout;
    numbers->addWidget(title_, 1);
    numbers->addWidget(new QLabel(tr("Minutes")));
    numbers->addWidget(minutes_);
    numbers->addWidget(new QLabel(tr("Place")));
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
        keeping_.start();
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
    auto* add =
        made_button("editor_add_step", tr("&Add a step"), tr("A new step that shows what the window shows"));
    remove_ = made_button("editor_remove_step", tr("Remove"), tr("Takes this step out"));
    up_ = made_button("editor_up", tr("Up"), tr("Before the step above it"));
    down_ = made_button("editor_down", tr("Down"), tr("Behind the step below it"));
    auto* order = new QHBoxLayout;
    for (QPushButton* button : {up_, down_, remove_})
        order->addWidget(button);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(steps_, 1);
    column->addWidget(add);
    column->addLayout(order);
    connect(steps_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!is_filling_ && row >= 0)
            select(std::size_t(row));
    });
    connect(add, &QPushButton::clicked, this, &LessonEditor::add_step);
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
    describe(notes_, QStringLiteral("editor_notes"), tr("Notes"), tr("For whoever presents it"));
    for (QPlainTextEdit* field : {text_, notes_})
        field->setTabChangesFocus(true);
    notes_->setMaximumHeight(4 * fontMetrics().lineSpacing());
    auto* take = made_button("editor_take_view", tr("Take the &view"),
                             tr("This part shows what the window shows now"));
    auto* reveal = made_button("editor_add_reveal", tr("Add a &reveal"),
                               tr("One more part, which shows what the window shows now"));
    remove_reveal_ =
        made_button("editor_remove_reveal", tr("Remove the reveal"), tr("Takes the last part out"));
    auto* views = new QHBoxLayout;
    for (QPushButton* button : {take, reveal, remove_reveal_})
        views->addWidget(button);
    views->addStretch(1);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(step_title_);
    column->addWidget(parts_);
    column->addWidget(text_, 1);
    column->addLayout(views);
    column->addWidget(question_);
    auto* notes_label = new QLabel(tr("Notes for whoever presents it"));
    make_note(*notes_label);
    notes_label->setBuddy(notes_);
    column->addWidget(notes_label);
    column->addWidget(notes_);
    const auto when_typed = [this](const auto& take_over) {
        return [this, take_over] {
            if (is_filling_)
                return;
            take_over();
            keeping_.start();
        };
    };
    connect(step_title_, &QLineEdit::textChanged, this, when_typed([this] {
                step().title = step_title_->text().toStdString();
                steps_->currentItem()->setText(tr("%1  %2").arg(at_ + 1).arg(step_title_->text()));
            }));
    connect(text_, &QPlainTextEdit::textChanged, this,
            when_typed([this] { step().texts[std::size_t(part_)] = text_->toPlainText().toStdString(); }));
    connect(notes_, &QPlainTextEdit::textChanged, this,
            when_typed([this] { step().notes = notes_->toPlainText().toStdString(); }));
    connect(question_, &QuestionForm::edited, this,
            when_typed([this] { step().question = question_->question(); }));
    connect(parts_, &QTabBar::currentChanged, this, [this](int shown) {
        if (!is_filling_)
            select_part(shown);
    });
    connect(take, &QPushButton::clicked, this, &LessonEditor::take_view);
    connect(reveal, &QPushButton::clicked, this, &LessonEditor::add_reveal);
    connect(remove_reveal_, &QPushButton::clicked, this, &LessonEditor::remove_reveal);
    return part;
}

void LessonEditor::edit(Lesson lesson) {
    lesson_ = std::move(lesson);
    at_ = 0;
    show_lesson();
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
        parts_->addTab(i == 0 ? tr("At first") : tr("Reveal %1").arg(i));
    parts_->setCurrentIndex(part_);
    question_->show_question(step().question);
    notes_->setPlainText(QString::fromStdString(step().notes));
    remove_->setEnabled(lesson_.steps.size() > 1);
    up_->setEnabled(at_ > 0);
    down_->setEnabled(at_ + 1 < lesson_.steps.size());
    remove_reveal_->setEnabled(step().states.size() > 1);
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
    keeping_.start();
}

void LessonEditor::remove_step() {
    lesson_.steps.erase(lesson_.steps.begin() + std::ptrdiff_t(at_));
    at_ = std::min(at_, lesson_.steps.size() - 1);
    list_steps();
    select(at_);
    keeping_.start();
}

void LessonEditor::move_step(int by) {
    const std::size_t there = at_ + std::size_t(by);
    std::swap(lesson_.steps[at_], lesson_.steps[there]);
    at_ = there;
    list_steps();
    select(at_);
    keeping_.start();
}

void LessonEditor::take_view() {
    step().states[std::size_t(part_)] = document_.session();
    say(tr("This part shows what the window shows."));
    keeping_.start();
}

void LessonEditor::add_reveal() {
    step().states.push_back(document_.session());
    step().texts.emplace_back();
    part_ = int(step().states.size()) - 1;
    show_step();
    text_->setFocus();
    keeping_.start();
}

void LessonEditor::remove_reveal() {
    step().states.pop_back();
    step().texts.pop_back();
    part_ = std::min(part_, int(step().states.size()) - 1);
    show_step();
    keeping_.start();
}

void LessonEditor::open_folder(const QString& folder) {
    try {
        edit(read_lesson(folder.toStdString()));
        keeping_.start();
    } catch (const Error& error) {
        say(QString::fromStdString(error.what()));
    }
}

void LessonEditor::save_to(const QString& folder) {
    queue_.add({"save lesson",
                [this, folder, lesson = lesson_]() -> Job::Delivery {
                    write_lesson(folder.toStdString(), lesson);
                    return [this, folder] { say(tr("Saved in %1.").arg(folder)); };
                },
                [this](const Error& error) { say(QString::fromStdString(error.what())); }});
}

void LessonEditor::keep() {
    keeping_.stop();
    queue_.add({"keep lesson",
                [draft = draft_, lesson = lesson_]() -> Job::Delivery {
                    write_lesson(draft, lesson);
                    return {};
                },
                [this](const Error& error) { say(QString::fromStdString(error.what())); }});
}

void LessonEditor::check() {
    say(tr("Running the steps…"));
    queue_.add({"check lesson",
                [this, lesson = lesson_]() -> Job::Delivery {
                    LessonRuns runs(lesson);
                    for (std::size_t at = 0; at < lesson.steps.size(); ++at) {
                        for (std::size_t state = 0; state < lesson.steps[at].states.size(); ++state)
                            runs.text(at, state);
                        runs.notes(at);
                        runs.because(at);
                        if (lesson.steps[at].question)
                            runs.answer(at);
                    }
                    return [this] { say(tr("Every number and every answer is there.")); };
                },
                [this](const Error& error) { say(QString::fromStdString(error.what())); }});
}

void LessonEditor::say(const QString& words) {
    said_->setText(words);
    said_->setVisible(!words.isEmpty());
}

}  // namespace headlight
