#include "ui/models/training_list.h"

#include "ui/models/counted_text.h"

#include <algorithm>
#include <charconv>

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = "run.lock";

/// Returns the number of a run's folder, "0007-dates-additive-gru"; 0 for another folder.
int number_of(const fs::path& folder) {
    const std::string name = folder.filename().string();
    int number = 0;
    const auto result = std::from_chars(name.data(), name.data() + name.size(), number);
    return result.ec == std::errc() && result.ptr != name.data() + name.size() && *result.ptr == '-' ? number
                                                                                                     : 0;
}

/// nullptr when another program holds the run.
std::unique_ptr<ProcessLock> locked(const fs::path& folder) { return ProcessLock::take(folder / lock_name); }

}  // namespace

TrainingList::TrainingList(fs::path folder, QObject* parent)
    : QAbstractListModel(parent), folder_(std::move(folder)) {
    read();
}

TrainingList::~TrainingList() {
    for (Entry& entry : entries_)
        entry.run->disconnect(this);
}

void TrainingList::read() {
    std::vector<fs::path> folders;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_, none))
        if (number_of(entry.path()) > 0)
            folders.push_back(entry.path());
    std::ranges::sort(folders, std::greater(), number_of);
    for (const fs::path& folder : folders) {
        auto lock = locked(folder);
        if (!lock) {
            ++held_elsewhere_;
            continue;
        }
        try {
            auto run = std::make_unique<TrainingRun>(folder, read_training_summary(folder));
            add(rowCount(), std::move(lock), std::move(run));
        } catch (const Error& error) {
            const bool is_empty = std::ranges::all_of(
                fs::directory_iterator(folder, none),
                [](const fs::directory_entry& entry) { return entry.path().filename() == lock_name; });
            if (is_empty && fs::remove_all(folder, none) > 0)
                continue;  // killed before its first step
            add(rowCount(), std::move(lock), std::make_unique<TrainingRun>(folder, error));
        }
    }
}

void TrainingList::add(int row, std::unique_ptr<ProcessLock> lock, std::unique_ptr<TrainingRun> run) {
    TrainingRun* const added = run.get();
    const auto announce = [this, added] {
        const int at = row_of(added);
        emit dataChanged(index(at), index(at));
    };
    connect(added, &TrainingRun::changed, this, [this, added, announce] {
        announce();
        emit changed(added);
    });
    connect(added, &TrainingRun::progressed, this, [this, added, announce] {
        announce();
        emit progressed(added);
    });
    connect(added, &TrainingRun::saved, this,
            [this, added](const QString& folder) { emit saved(added, folder); });
    connect(added, &TrainingRun::save_failed, this, &TrainingList::problem);
    beginInsertRows({}, row, row);
    entries_.insert(entries_.begin() + row, {std::move(lock), std::move(run)});
    endInsertRows();
}

TrainingRun* TrainingList::run(int row) const {
    return row >= 0 && row < rowCount() ? entries_[static_cast<std::size_t>(row)].run.get() : nullptr;
}

int TrainingList::row_of(const TrainingRun* run) const {
    const auto found = std::ranges::find(entries_, run, [](const Entry& entry) { return entry.run.get(); });
    return found == entries_.end() ? -1 : static_cast<int>(found - entries_.begin());
}

TrainingRun* TrainingList::running() const {
    for (const Entry& entry : entries_)
        if (entry.run->state() == TrainingRun::State::running)
            return entry.run.get();
    return nullptr;
}

std::string TrainingList::number_of_another(const std::string& name) const {
    const auto is_used = [this](const std::string& other) {
        return std::ranges::any_of(entries_,
                                   [&](const Entry& entry) { return entry.run->summary().name == other; });
    };
    std::string added;
    for (int number = 2; is_used(name + added); ++number)
        added = ", run " + std::to_string(number);
    return added;
}

int TrainingList::next_number() const {
    int last = 0;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_, none))
        last = std::max(last, number_of(entry.path()));
    return last + 1;
}

TrainingRun* TrainingList::begin(TrainingPlan plan) {
    if (running())
        return nullptr;
    const std::string number = std::to_string(next_number());
    const fs::path folder =
        folder_ / (std::string(number.size() < 4 ? 4 - number.size() : 0, '0') + number + '-' + plan.name);
    std::error_code error;
    fs::create_directories(folder, error);
    auto lock = error ? nullptr : locked(folder);
    if (!lock) {
        emit problem(Error({"keep a training run", folder.string(), "a place that can be written",
                            error ? error.message() : "another program's"}));
        return nullptr;
    }
    const std::string another = number_of_another(plan.name);
    plan.name += another;
    plan.title += another;
    add(0, std::move(lock), std::make_unique<TrainingRun>(plan, folder));
    return run(0);
}

void TrainingList::remove(int row) {
    const TrainingRun* removed = run(row);
    if (!removed || removed->state() == TrainingRun::State::running)
        return;
    const fs::path folder = removed->folder();
    beginRemoveRows({}, row, row);
    Entry entry = std::move(entries_[static_cast<std::size_t>(row)]);
    entries_.erase(entries_.begin() + row);
    endRemoveRows();
    entry.run.reset();  // it may still write
    entry.lock.reset();
    std::error_code failure;
    fs::remove_all(folder, failure);
    if (failure)
        emit problem(Error(
            {"remove a training run", folder.string(), "a place that can be written", failure.message()}));
}

QString TrainingList::state_text(const TrainingRun& run) {
    const TrainingSummary& summary = run.summary();
    const QString where = tr("step %1 of %2").arg(grouped_text(summary.steps), grouped_text(summary.of));
    const QString right = summary.exact_match.examples > 0
                              ? tr(", %1 % right").arg(100 * summary.exact_match.share, 0, 'f', 1)
                              : QString();
    switch (run.state()) {
    case TrainingRun::State::running:
        return run.is_ending() ? tr("ending at %1").arg(where) : tr("learning, %1").arg(where);
    case TrainingRun::State::paused:
        return (run.was_interrupted()    ? tr("interrupted at %1")
                : run.has_reached_goal() ? tr("goal reached, paused at %1")
                                         : tr("paused at %1"))
            .arg(where);
    case TrainingRun::State::stopped:
        return tr("stopped at %1").arg(where) + right;
    case TrainingRun::State::finished:
        return tr("finished, %1 steps").arg(grouped_text(summary.of)) + right;
    case TrainingRun::State::failed:
        return tr("failed at %1").arg(where);
    }
    return {};
}

int TrainingList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant TrainingList::data(const QModelIndex& index, int role) const {
    const TrainingRun* shown = index.isValid() ? run(index.row()) : nullptr;
    if (!shown)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return shown->title() + QChar('\n') + state_text(*shown);
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(shown->title(), state_text(*shown));
    case Qt::ToolTipRole:
        return shown->problem() ? QString::fromStdString(shown->problem()->what()) : shown->title();
    default:
        return {};
    }
}

}  // namespace headlight
