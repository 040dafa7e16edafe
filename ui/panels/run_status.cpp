#include "ui/panels/run_status.h"

#include "core/figure/theme_table.h"
#include "core/workbench/playback.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/comparison_model.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/elided_label.h"
#include "ui/views/role.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

QString duration_text(double seconds) {
    return seconds < 90 ? RunStatus::tr("%1 s").arg(std::ceil(seconds), 0, 'f', 0)
                        : RunStatus::tr("%1 min").arg(std::ceil(seconds / 60), 0, 'f', 0);
}

}  // namespace

RunStatus::RunStatus(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), text_(new ElidedLabel), busy_(new QProgressBar),
      cancel_(new QToolButton) {
    text_->setObjectName(QStringLiteral("run_status"));
    make_note(*text_);
    text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // what is beside it comes first
    busy_->setRange(0, 0);
    busy_->setFixedSize(64, 8);
    busy_->setTextVisible(false);
    busy_->setAccessibleName(tr("Computing"));
    cancel_->setText(tr("Cancel"));
    describe_with_key(cancel_, QStringLiteral("cancel_run"), tr("Cancel the run"),
                      tr("Gives up this run; the picture stays at the last finished one"));
    give_keys(*cancel_);
    cancel_->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(text_, 1);
    layout->addWidget(busy_);
    layout->addWidget(cancel_);
    busy_->hide();
    cancel_->hide();
    connect(&document_, &Document::run_changed, this, &RunStatus::show_run);
    connect(&document_, &Document::session_changed, this, &RunStatus::show_run);
    connect(&document_.looking(), &Looking::view_changed, this, &RunStatus::show_run);
    connect(&document_, &Document::busy_changed, this, [this](bool busy) {
        busy_->setVisible(busy);
        cancel_->setVisible(busy);
        if (busy)
            return;
        busy_->setRange(0, 0);
        since_.invalidate();
        show_run();
    });
    connect(&document_, &Document::run_estimated, this, &RunStatus::show_estimate);
    connect(&document_, &Document::run_progressed, this, &RunStatus::show_progress);
    connect(cancel_, &QToolButton::clicked, &document_, &Document::cancel_run);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    keep_width();
    show_run();
}

QWidget* RunStatus::words() const { return text_; }

void RunStatus::add_beside(QWidget* other) { layout()->addWidget(other); }

/// As wide whatever goes on, but for a run that takes more words: the player beside it stays where it is.
void RunStatus::keep_width() {
    const int letters = is_for_class() ? 14 : 30;
    width_ = std::max(text_->fontMetrics().averageCharWidth() * letters, text_->sizeHint().width());
    updateGeometry();
}

QSize RunStatus::sizeHint() const { return {width_, layout()->sizeHint().height()}; }

/// The same while a run is under way and while none is: a window that fits a small screen fits it always.
QSize RunStatus::minimumSizeHint() const {
    const int between = layout()->spacing();
    int width = between + busy_->width() + between + cancel_->sizeHint().width();
    for (int at = layout()->indexOf(cancel_) + 1; at < layout()->count(); ++at)
        width += between + layout()->itemAt(at)->minimumSize().width();
    return {std::min(width, width_), layout()->minimumSize().height()};
}

bool RunStatus::is_for_class() const { return headlight::is_for_class(document_.view().theme); }

QString RunStatus::words_for(const QString& size, const QString& rest) const {
    return is_for_class() ? size : tr("%1 · %2").arg(size, rest);
}

void RunStatus::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        keep_width();
    QWidget::changeEvent(event);
}

void RunStatus::show_estimate(double seconds, double bytes) {
    text_->setText(tr("about %1, %2").arg(duration_text(seconds), bytes_text(bytes)));
    text_->setToolTip(tr("About how long this run takes, from its multiply-adds and the runs before it, "
                         "and how much memory; Cancel gives it up"));
}

void RunStatus::show_progress(double share) {
    // A run that began in place of another starts anew.
    if (!since_.isValid() || share < first_share_) {
        since_.start();
        first_share_ = share;
    }
    constexpr int parts = 100;
    busy_->setRange(0, parts);
    busy_->setValue(static_cast<int>(share * parts));
    const double seconds = static_cast<double>(since_.elapsed()) / 1000;
    if (seconds < 1 || share <= first_share_)
        return;
    const double left = seconds * (1 - share) / (share - first_share_);
    text_->setText(tr("%1 left").arg(duration_text(left)));
    text_->setToolTip(tr("Every head and query is computed once; what is kept of a long text is computed "
                         "again where you look"));
}

void RunStatus::show_run() {
    const auto run = document_.run();
    if (!run)
        return text_->clear();
    const std::string& site = document_.session().view.selection.site;
    const SiteRecord* shown = run->transcript ? run->transcript->find(site) : nullptr;
    const Plan* plan = shown ? shown->plan.get() : run->plan.get();
    const QString taken = tr("%1 ms").arg(run->milliseconds, 0, 'f', run->milliseconds < 10 ? 1 : 0);
    if (plan) {
        const QString size =
            tr("%1 × %2 · %3").arg(plan->queries).arg(plan->keys).arg(counted_text(plan->heads, "head"));
        text_->setText(words_for(size, tr("d %1 · %2").arg(plan->inputs.query.cols()).arg(taken)));
        text_->setToolTip(tr("Queries × keys, heads, numbers in a token vector, and how long the run took"));
    } else if (const Stage* weights = run->trace->find("weights", site)) {
        const QString size = tr("%1 × %2 · %3")
                                 .arg(weights->extent(Axis::query))
                                 .arg(weights->extent(Axis::key))
                                 .arg(counted_text(head_count(*run->trace, site), "head"));
        text_->setText(words_for(size, taken));
        text_->setToolTip(tr("Queries × keys, heads, and how long the file took to read"));
    }
    keep_width();
}

}  // namespace headlight
