#include "ui/panels/training_runs.h"

#include "ui/models/training_list.h"
#include "ui/models/window_settings.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"
#include "ui/views/lazy_combo.h"
#include "ui/views/role.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace headlight {
namespace {

const QString chosen_key = QStringLiteral("train/chosen"), beside_key = QStringLiteral("train/beside");

/// The name of its folder, which no other run has.
QString key_of(const TrainingRun& run) { return QString::fromStdString(run.folder().filename().string()); }

}  // namespace

TrainingRuns::TrainingRuns(TrainingList& runs, WindowSettings& settings, QWidget* parent)
    : QWidget(parent), runs_(runs), settings_(settings), list_(new QListView),
      remove_(new QPushButton(tr("Remo&ve"))), beside_(new LazyCombo(12)) {
    describe(list_, QStringLiteral("train_runs"), tr("Runs"),
             tr("Every training run, the newest first; the chosen one is shown on the right"));
    list_->setModel(&runs_);
    list_->setAlternatingRowColors(true);
    list_->setWordWrap(true);
    constexpr int least_height = 60;  // a run and a half: what stands below is seen in 660 pixels too
    list_->setMinimumHeight(least_height);
    remove_->setAutoDefault(false);
    describe(remove_, QStringLiteral("train_remove"), tr("Remove the run"),
             tr("Takes the chosen run off the disk, its film too; models that were saved stay"));
    describe(beside_, QStringLiteral("train_beside"), tr("Beside it"),
             tr("Another run, whose curves and film are shown beside those of the chosen one, at the same "
                "step"));
    ignore_passing_wheel(beside_);
    auto* beside_label = new QLabel(tr("&Beside it"));
    beside_label->setBuddy(beside_);
    auto* title = new QLabel(tr("Runs"));
    make_title(*title);
    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(remove_);
    auto* foot = new QHBoxLayout;
    foot->addWidget(beside_label);
    foot->addWidget(beside_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(list_, 1);
    column->addLayout(foot);
    restore();
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        remember();
        emit chosen();
    });
    connect(remove_, &QPushButton::clicked, this, &TrainingRuns::remove);
    connect(beside_, &QComboBox::activated, this, [this] {
        remember();
        emit compared();
    });
}

TrainingRuns::~TrainingRuns() { list_->setModel(nullptr); }

void TrainingRuns::restore() {
    const QString chosen = settings_.value(chosen_key).toString();
    const QString beside = settings_.value(beside_key).toString();
    int row = 0;
    for (int each = 0; each < runs_.rowCount(); ++each)
        if (key_of(*runs_.run(each)) == chosen)
            row = each;
    list_->setCurrentIndex(runs_.index(row));
    refresh();
    // Beside another run it might have other words, and so other axes.
    if (current() && key_of(*current()) == chosen)
        beside_->setCurrentIndex(std::max(0, beside_->findData(beside)));
}

void TrainingRuns::remember() const {
    settings_.set_value(chosen_key, current() ? key_of(*current()) : QString());
    settings_.set_value(beside_key, beside_->currentData());
}

TrainingRun* TrainingRuns::current() const { return runs_.run(list_->currentIndex().row()); }

TrainingRun* TrainingRuns::beside() const {
    for (int row = 0; row < runs_.rowCount(); ++row)
        if (TrainingRun* run = runs_.run(row); run != current() && key_of(*run) == beside_->currentData())
            return run;
    return nullptr;
}

void TrainingRuns::choose(const TrainingRun* run) { list_->setCurrentIndex(runs_.index(runs_.row_of(run))); }

void TrainingRuns::compare_with(const TrainingRun* run) {
    refresh();
    beside_->setCurrentIndex(run ? std::max(0, beside_->findData(key_of(*run))) : 0);
    remember();
}

void TrainingRuns::refresh() {
    const QSignalBlocker quiet(beside_);
    const QVariant before = beside_->currentData();
    beside_->clear();
    beside_->addItem(tr("nothing"), QString());
    for (int row = 0; row < runs_.rowCount(); ++row)
        if (const TrainingRun* run = runs_.run(row); run != current())
            beside_->addItem(run->title(), key_of(*run));
    beside_->setCurrentIndex(std::max(0, beside_->findData(before)));
    beside_->setEnabled(beside_->count() > 1);
    remove_->setEnabled(current() && current() != runs_.running());
}

void TrainingRuns::remove() {
    TrainingRun* run = current();
    if (!run)
        return;
    const auto answer = QMessageBox::question(
        this, tr("Remove the run"),
        tr("Remove %1 with its curves and its film? Models that were saved stay.").arg(run->title()),
        QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer != QMessageBox::Yes)
        return;
    emit removing();
    runs_.remove(runs_.row_of(run));
    emit removed();
}

}  // namespace headlight
