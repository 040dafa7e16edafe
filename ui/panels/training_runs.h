#pragma once

#include "ui/models/shown_runs.h"

#include <QWidget>

class QComboBox;
class QListView;
class QPushButton;

namespace headlight {

class TrainingList;
class WindowSettings;

/// Every training run: one of them is chosen, another may stand beside it, and any may be removed. Which
/// two are looked at is remembered.
class TrainingRuns : public QWidget {
    Q_OBJECT
public:
    TrainingRuns(TrainingList& runs, WindowSettings& settings, QWidget* parent = nullptr);
    ~TrainingRuns() override;

    TrainingRun* current() const;  ///< nullptr when there is none
    TrainingRun* beside() const;   ///< another one; nullptr when none is
    void choose(const TrainingRun* run);
    /// Puts the run beside the chosen one; nullptr puts nothing there.
    void compare_with(const TrainingRun* run);
    /// The list is another one, or what can be done with it.
    void refresh();

signals:
    /// Another one is chosen.
    void chosen();
    /// Another one stands beside it.
    void compared();
    /// The chosen one is about to be removed: nobody may look at it any more.
    void removing();
    void removed();

private:
    void remove();
    /// Before anything is remembered anew.
    void restore();
    void remember() const;

    TrainingList& runs_;
    WindowSettings& settings_;
    QListView* list_;
    QPushButton* remove_;
    QComboBox* beside_;
};

}  // namespace headlight
