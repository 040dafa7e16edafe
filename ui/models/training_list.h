#pragma once

#include "ui/models/process_lock.h"
#include "ui/models/training_run.h"

#include <QAbstractListModel>

#include <filesystem>
#include <memory>
#include <vector>

namespace headlight {

/// The training runs of a folder, the newest first: those that are learning, that were ended, and that an
/// earlier program left in the middle. Those of another program that is running are its own.
class TrainingList : public QAbstractListModel {
    Q_OBJECT
public:
    explicit TrainingList(std::filesystem::path folder, QObject* parent = nullptr);
    ~TrainingList() override;

    TrainingRun* run(int row) const;  ///< nullptr outside the list
    int row_of(const TrainingRun* run) const;
    /// The one that learns now; they do so one after another. nullptr when none does.
    TrainingRun* running() const;
    /// How many runs there are that another Headlight holds.
    int held_elsewhere() const { return held_elsewhere_; }

    /// Begins another one, and returns it; nullptr while one is running, or when the folder cannot be written
    /// (see problem()).
    TrainingRun* begin(TrainingPlan plan);
    /// Takes one off the disk; not while it learns.
    void remove(int row);

    /// "paused at step 420 of 1,000"
    static QString state_text(const TrainingRun& run);

    int rowCount(const QModelIndex& parent = {}) const final;
    QVariant data(const QModelIndex& index, int role) const final;

signals:
    /// A run has another state.
    void changed(headlight::TrainingRun* run);
    /// There is more to see of a run.
    void progressed(headlight::TrainingRun* run);
    /// The model of a run was written as a folder.
    void saved(headlight::TrainingRun* run, const QString& folder);
    void problem(const headlight::Error& error);

private:
    struct Entry {
        std::unique_ptr<ProcessLock> lock;
        std::unique_ptr<TrainingRun> run;
    };

    void read();
    void add(int row, std::unique_ptr<ProcessLock> lock, std::unique_ptr<TrainingRun> run);
    /// ", run 2" for the second run of the name; empty for the first.
    std::string number_of_another(const std::string& name) const;
    int next_number() const;

    std::filesystem::path folder_;
    std::vector<Entry> entries_;
    int held_elsewhere_ = 0;
};

}  // namespace headlight
