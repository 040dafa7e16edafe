#pragma once

#include "ui/models/training_run.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace headlight {

class ElidedLabel;

/// One training run: how far and how fast it is, and what can be done with it.
class TrainingHead : public QWidget {
    Q_OBJECT
public:
    explicit TrainingHead(QWidget* parent = nullptr);

    /// `can_resume`: no other run learns. Null while there is none.
    void show_run(const TrainingRun* run, bool can_resume);
    QString text() const;

signals:
    void pause_asked();
    void resume_asked();
    void stop_asked();
    void save_asked();
    void open_asked();

private:
    QPushButton* add(const QString& id, const QString& text, const QString& effect,
                     void (TrainingHead::*signal)());

    ElidedLabel* name_;
    QLabel* numbers_;
    QProgressBar* progress_;
    QPushButton *pause_, *resume_, *stop_, *save_, *open_;
};

}  // namespace headlight
