#include "ui/panels/train_window.h"

#include "core/tensor/error.h"
#include "ui/models/document.h"
#include "ui/models/training_list.h"
#include "ui/panels/banner.h"
#include "ui/panels/film_panel.h"
#include "ui/panels/save_model_dialog.h"
#include "ui/panels/training_curves.h"
#include "ui/panels/training_form.h"
#include "ui/panels/training_head.h"
#include "ui/panels/training_runs.h"
#include "ui/views/panel_area.h"

#include <QDir>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace headlight {
namespace {

QString folder_name(const TrainingRun& run) {
    return run.name().replace(QStringLiteral(", run "), QStringLiteral("-"));
}

}  // namespace

TrainWindow::TrainWindow(Document& document, const MechanismLibrary& library, WindowSettings& settings,
                         const std::filesystem::path& folder, QWidget* parent)
    : QDialog(parent), document_(document), save_folder_(settings, QStringLiteral("train/save_folder")),
      runs_(new TrainingList(folder, this)), form_(new TrainingForm(library, settings)),
      list_(new TrainingRuns(*runs_, settings)), head_(new TrainingHead), curves_(new TrainingCurves),
      film_(new FilmPanel), message_(new Banner(QStringLiteral("train_message"))) {
    setObjectName(QStringLiteral("train_window"));
    setWindowTitle(tr("Train a model"));
    setWindowFlags(Qt::Window);
    auto* parts = new QSplitter;
    parts->addWidget(build_left());
    parts->addWidget(build_right());
    parts->setStretchFactor(1, 1);
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(parts, 1);
    layout->addWidget(message_);  // last: what is clicked twice stays where it is
    connect_parts();
    offer_interrupted();
    refresh();
    // A size hint would be cut to two thirds of the screen.
    resize(150 * fontMetrics().averageCharWidth(), 46 * fontMetrics().height());
}

TrainWindow::~TrainWindow() {
    // The views go before the runs that they look at.
    runs_->disconnect(this);
    delete list_;
    film_->show_runs({}, {});
    curves_->show_runs({});
}

QWidget* TrainWindow::build_left() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(10, 10, 10, 10);
    column->setSpacing(8);
    column->addWidget(form_);
    column->addWidget(list_, 1);
    return new PanelArea(content);
}

QWidget* TrainWindow::build_right() {
    auto* pictures = new QSplitter(Qt::Vertical);
    pictures->addWidget(curves_);
    pictures->addWidget(film_);
    pictures->setStretchFactor(0, 1);
    pictures->setStretchFactor(1, 2);
    pictures->setSizes({220, 440});
    pictures->setChildrenCollapsible(false);
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(10, 10, 10, 10);
    column->setSpacing(8);
    column->addWidget(head_);
    column->addWidget(pictures, 1);
    // What has a layout would be as tall as its texts like to be, and scrolled in a window that has room.
    auto* held = new QSplitter;
    held->addWidget(right);
    held->setChildrenCollapsible(false);
    return new PanelArea(held);
}

void TrainWindow::connect_parts() {
    connect(form_, &TrainingForm::start_asked, this, &TrainWindow::start);
    connect(form_, &TrainingForm::text_changed, this, [this] {
        if (TrainingRun* running = runs_->running(); running && running->task() == form_->task())
            running->film(form_->text());
    });
    connect(list_, &TrainingRuns::chosen, this, [this] {
        set_cursor({});
        refresh();
    });
    connect(list_, &TrainingRuns::compared, this, &TrainWindow::refresh_pictures);
    connect(list_, &TrainingRuns::removing, this, [this] {
        film_->show_runs({}, {});
        curves_->show_runs({});
    });
    connect(list_, &TrainingRuns::removed, this, &TrainWindow::refresh);
    const auto with_current = [this](auto member) {
        return [this, member] {
            if (TrainingRun* run = current())
                (run->*member)();
        };
    };
    connect(head_, &TrainingHead::pause_asked, this, with_current(&TrainingRun::pause));
    connect(head_, &TrainingHead::resume_asked, this, with_current(&TrainingRun::resume));
    connect(head_, &TrainingHead::resume_asked, message_, &QWidget::hide);
    connect(head_, &TrainingHead::stop_asked, this, &TrainWindow::ask_stop);
    connect(head_, &TrainingHead::save_asked, this, &TrainWindow::ask_save);
    connect(head_, &TrainingHead::open_asked, this, &TrainWindow::open_model);
    connect(runs_, &TrainingList::changed, this, [this](const TrainingRun* run) {
        refresh();
        const bool is_done = (run->state() == TrainingRun::State::finished && !run->is_measuring()) ||
                             (run->state() == TrainingRun::State::paused && run->has_reached_goal());
        if (!isVisible() && is_done)
            emit learned(tr("%1: %2").arg(run->title(), TrainingList::state_text(*run)));
    });
    connect(runs_, &TrainingList::progressed, this, [this](const TrainingRun* run) {
        emit background_changed(run->title(), TrainingList::state_text(*run));
        if (run == current())
            head_->show_run(run, false);
        if (isVisible() && (run == current() || run == list_->beside()))
            refresh_pictures();
    });
    connect(runs_, &TrainingList::problem, this, [this](const Error& error) {
        opened_when_saved_.clear();
        message_->show_error(error);
    });
    connect(runs_, &TrainingList::saved, this, [this](const TrainingRun* run, const QString& folder) {
        save_folder_.remember_place_of(folder);
        message_->show_notice(tr("Saved in %1. The Model panel and headlight attend run it.").arg(folder));
        if (run != opened_when_saved_)
            return;
        opened_when_saved_.clear();
        emit open_model_asked(folder);
    });
    connect(film_, &FilmPanel::problem, message_, &Banner::show_error);
    connect(film_, &FilmPanel::export_began, message_, &QWidget::hide);
    connect(film_, &FilmPanel::exported, this,
            [this](const QString& path) { message_->show_notice(tr("The film is in %1.").arg(path)); });
    connect(film_, &FilmPanel::cursor_asked, this, &TrainWindow::set_cursor);
    connect(curves_, &TrainingCurves::step_asked, this, &TrainWindow::set_cursor);
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (isVisible() && !(before.figure == document_.session().figure))
            refresh_pictures();
    });
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        if (isVisible() && before.theme != document_.view().theme)
            refresh_pictures();
    });
}

void TrainWindow::offer_interrupted() {
    if (const int held = runs_->held_elsewhere(); held > 0)
        message_->show_notice(
            held == 1 ? tr("Another Headlight window holds one more run, which is shown there.")
                      : tr("Another Headlight window holds %1 more runs, which are shown there.").arg(held));
    for (int row = 0; row < runs_->rowCount(); ++row) {
        const TrainingRun* run = runs_->run(row);
        if (!run->was_interrupted() || !run->can_resume())
            continue;
        list_->choose(run);
        message_->show_notice(tr("%1 was still learning when Headlight ended. Resume goes on from step %2.")
                                  .arg(run->title())
                                  .arg(run->summary().steps));
        return;
    }
}

// Runs

TrainingRun* TrainWindow::current() const { return list_->current(); }

void TrainWindow::start() {
    if (!form_->plan())
        return;
    const TrainingPlan plan = *form_->plan();
    const TrainingRun* before = current();
    const bool is_of_same_words =
        before && before->task() == plan.settings.task && before->record()->text == plan.text;
    const TrainingRun* run = runs_->begin(plan);
    if (!run)
        return;
    message_->hide();
    list_->choose(run);
    list_->compare_with(is_of_same_words ? before : nullptr);  // else the axes would differ
    refresh();
}

void TrainWindow::ask_stop() {
    TrainingRun* run = current();
    if (!run)
        return;
    QMessageBox box(QMessageBox::Question, tr("Stop the run"),
                    // It learns on meanwhile: a step that is said here is soon another.
                    tr("Stop %1 for good? It cannot go on afterwards; a paused run can.").arg(run->title()),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("train_stop_question"));
    const QPushButton* stop = box.addButton(tr("&Stop it"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == stop)
        run->stop();
}

void TrainWindow::ask_save() {
    const TrainingRun* run = current();
    if (!run)
        return;
    SaveModelDialog dialog(folder_name(*run), save_folder_.path(), this);
    if (dialog.exec() == QDialog::Accepted)
        save_model_to(dialog.folder());
}

void TrainWindow::save_model_to(const QString& folder) {
    TrainingRun* run = current();
    if (!run)
        return;
    opened_when_saved_.clear();
    run->save_model(folder);
}

/// A session names the folder of its model, so one that is in no folder yet gets one, beside those that there
/// are.
void TrainWindow::open_model() {
    const TrainingRun* run = current();
    if (!run || run == opened_when_saved_)
        return;
    if (!run->saved_to().isEmpty()) {
        emit open_model_asked(run->saved_to());
        return;
    }
    const QDir place(save_folder_.path());
    const QString name = folder_name(*run);
    QString free = name;
    for (int number = 2; place.exists(free); ++number)
        free = QStringLiteral("%1-%2").arg(name).arg(number);
    save_model_to(place.absoluteFilePath(free));
    opened_when_saved_ = run;
}

// What is shown

ShownRuns TrainWindow::shown() const {
    ShownRuns shown{{}, cursor_};
    if (const TrainingRun* run = current()) {
        shown.runs.push_back(run);
        if (const TrainingRun* other = list_->beside())
            shown.runs.push_back(other);
    }
    return shown;
}

void TrainWindow::set_cursor(std::optional<Index> step) {
    cursor_ = step && *step >= shown().newest() ? std::nullopt : step;
    if (cursor_)  // the picture is that of a frame: the cursor would stand at a moment that nobody sees
        cursor_ = snapped_to_frame(film_steps(shown().filmed()), *cursor_);
    refresh_pictures();
}

void TrainWindow::refresh() {
    const TrainingRun* running = runs_->running();
    const TrainingRun* run = current();
    form_->set_obstacle(
        running ? tr("%1 is learning: pause or stop it to train another one.").arg(running->title())
                : QString());
    head_->show_run(run, !running);
    if (running)
        emit background_changed(running->title(), TrainingList::state_text(*running));
    else
        emit background_changed({}, {});
    list_->refresh();
    refresh_pictures();
}

void TrainWindow::refresh_pictures() {
    for (TrainingRun* run : {current(), list_->beside()})
        if (run)
            run->load();
    ViewSettings settings = view_settings(document_.session());
    settings.values_in_cells = false;
    curves_->show_runs(shown());
    film_->show_runs(shown(), settings);
}

void TrainWindow::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    refresh_pictures();  // a theme or a step that came while the window was closed is not drawn yet
}

// Closing

void TrainWindow::keyPressEvent(QKeyEvent* event) {
    // Escape leaves what is being typed or played, not a window in which a model learns.
    if (event->matches(QKeySequence::Cancel))
        return event->ignore();
    QDialog::keyPressEvent(event);
}

void TrainWindow::reject() {
    TrainingRun* running = runs_->running();
    if (!running || running->is_ending())
        return QDialog::reject();
    QMessageBox box(
        QMessageBox::Question, windowTitle(),
        tr("%1 is still learning. Shall it go on while this window is closed?").arg(running->title()),
        QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("train_close_question"));
    const QPushButton* go_on = box.addButton(tr("&Keep training"), QMessageBox::AcceptRole);
    const QPushButton* pause = box.addButton(tr("&Pause it"), QMessageBox::DestructiveRole);
    box.exec();
    if (box.clickedButton() == pause)
        running->pause();
    if (box.clickedButton() == pause || box.clickedButton() == go_on)
        QDialog::reject();
}

bool TrainWindow::may_close() {
    TrainingRun* running = runs_->running();
    if (!running)
        return true;
    QMessageBox box(QMessageBox::Question, tr("A model is learning"),
                    tr("%1 is still learning. When Headlight closes it pauses, and can be resumed next time.")
                        .arg(running->title()),
                    QMessageBox::Cancel, isVisible() ? this : parentWidget());
    box.setObjectName(QStringLiteral("train_quit_question"));
    const QPushButton* close = box.addButton(tr("&Pause and close"), QMessageBox::AcceptRole);
    box.exec();
    if (box.clickedButton() != close)
        return false;
    running->pause();
    return true;
}

void TrainWindow::pause() {
    if (TrainingRun* running = runs_->running())
        running->pause();
}

}  // namespace headlight
