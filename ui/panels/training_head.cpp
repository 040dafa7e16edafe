#include "ui/panels/training_head.h"

#include "ui/models/counted_text.h"
#include "ui/models/training_list.h"
#include "ui/render/fixed_text.h"
#include "ui/views/describe.h"
#include "ui/views/elided_label.h"
#include "ui/views/flow_layout.h"
#include "ui/views/role.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace headlight {
namespace {

QString left_text(double seconds) {
    constexpr double minute = 60, hour = 3600;
    if (seconds < minute)
        return TrainingHead::tr("%1 s left").arg(static_cast<int>(std::ceil(seconds)));
    if (seconds < hour)
        return TrainingHead::tr("%1 min left").arg(static_cast<int>(std::ceil(seconds / minute)));
    return TrainingHead::tr("%1 h left").arg(seconds / hour, 0, 'f', 1);
}

/// "learning, step 420 of 1,000 · loss 0.532 · 34 % right · 12.3 steps/s · 1 min left"
QString numbers_of(const TrainingRun& run) {
    QStringList parts{TrainingList::state_text(run)};
    const TrainingRecord& record = *run.record();
    const TrainingSummary& summary = run.summary();
    if (!record.loss.points().empty())
        parts += TrainingHead::tr("loss %1").arg(fixed_text(record.loss.points().back().loss, 3));
    if (!record.exact_match.empty() && summary.exact_match.examples == 0)
        parts += TrainingHead::tr("%1 % right").arg(fixed_text(100 * record.exact_match.back().share, 0));
    if (run.is_measuring())
        parts += TrainingHead::tr("being measured on held-out examples");
    if (const Index examples = summary.exact_match.examples; examples > 0)
        parts += TrainingHead::tr("measured on %1 held-out examples").arg(grouped_text(examples));
    if (summary.goal > 0)
        parts += TrainingHead::tr("goal %1 %").arg(100 * summary.goal, 0, 'f', 0);
    if (const double pace = run.steps_per_second(); pace > 0) {
        parts += TrainingHead::tr("%1 steps/s").arg(pace, 0, 'f', 1);
        const QString left = left_text(static_cast<double>(summary.of - summary.steps) / pace);
        // It stops at its goal, and nobody knows when that will be.
        const bool may_stop_before = summary.goal > 0 && !run.has_reached_goal();
        parts += may_stop_before ? TrainingHead::tr("at most %1").arg(left) : left;
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

TrainingHead::TrainingHead(QWidget* parent)
    : QWidget(parent), name_(new ElidedLabel), numbers_(new QLabel), progress_(new QProgressBar) {
    name_->setObjectName(QStringLiteral("train_name"));
    make_title(*name_);
    numbers_->setObjectName(QStringLiteral("train_numbers"));
    numbers_->setAccessibleName(tr("How far and how fast"));
    numbers_->setWordWrap(true);
    numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    describe(progress_, QStringLiteral("train_progress"), tr("Progress of the training"), {});
    progress_->setTextVisible(false);
    progress_->setFixedHeight(8);
    pause_ = add(QStringLiteral("train_pause"), tr("Pa&use"),
                 tr("After the step that it takes now; what it has learned is kept, also when the program "
                    "is closed"),
                 &TrainingHead::pause_asked);
    resume_ = add(QStringLiteral("train_resume"), tr("&Resume"),
                  tr("Goes on from where it was, to the same numbers as without a pause"),
                  &TrainingHead::resume_asked);
    stop_ = add(QStringLiteral("train_stop"), tr("St&op"),
                tr("Ends this run where it is, for good, and measures how good the model has become"),
                &TrainingHead::stop_asked);
    save_ = add(QStringLiteral("train_save"), tr("&Save model…"),
                tr("As a folder that the Model panel and headlight attend open; pause or stop it first"),
                &TrainingHead::save_asked);
    open_ = add(QStringLiteral("train_open"), tr("Open in Model pa&nel"),
                tr("Runs the model in the main window. One that is not saved yet is saved as a folder before; "
                   "pause or stop it first"),
                &TrainingHead::open_asked);
    constexpr int between = 6;
    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(between, buttons);
    flow->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* button : {pause_, resume_, stop_, save_, open_})
        flow->addWidget(button);
    auto* line = new QHBoxLayout;
    line->setSpacing(between);
    line->addWidget(name_, 1);
    line->addWidget(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(progress_);
    layout->addWidget(numbers_);
    show_run(nullptr, false);
}

QPushButton* TrainingHead::add(const QString& id, const QString& text, const QString& effect,
                               void (TrainingHead::*signal)()) {
    auto* button = new QPushButton(text);
    describe(button, id, QString(text).remove(QChar('&')).remove(QChar(0x2026)), effect);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, signal);
    return button;
}

QString TrainingHead::text() const { return numbers_->text(); }

void TrainingHead::show_run(const TrainingRun* run, bool can_resume) {
    using State = TrainingRun::State;
    const bool runs = run && run->state() == State::running;
    const bool is_open = run && (runs || run->state() == State::paused);
    pause_->setVisible(!run || !run->can_resume());
    pause_->setEnabled(runs && !run->is_ending());
    resume_->setVisible(run && run->can_resume());
    resume_->setEnabled(can_resume);
    stop_->setEnabled(is_open && !run->is_ending() && (runs || can_resume));
    for (QPushButton* button : {save_, open_})
        button->setEnabled(run && !runs && run->state() != State::failed);
    progress_->setVisible(runs);
    if (!run) {
        name_->setText(tr("No run yet"));
        name_->setToolTip({});
        numbers_->setText(tr("Choose what is to be learned on the left, and press Train."));
        return;
    }
    name_->setText(run->title());
    name_->setToolTip(run->title());
    progress_->setRange(0, static_cast<int>(std::max<Index>(run->summary().of, 1)));
    progress_->setValue(static_cast<int>(run->summary().steps));
    const QString problem = run->problem() ? QString::fromStdString(run->problem()->what()) : QString();
    if (run->state() == State::failed)
        numbers_->setText(problem);
    else
        numbers_->setText(problem.isEmpty()
                              ? numbers_of(*run)
                              : numbers_of(*run) + QChar('\n') + tr("Not on the disk: %1").arg(problem));
}

}  // namespace headlight
