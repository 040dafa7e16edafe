#pragma once

#include "core/model/recipe.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/training_run.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QPushButton;

namespace headlight {

class AttentionCombo;
class MechanismLibrary;
class RecurrentFields;
class SeedBox;
class TrainingKnobs;
class TrainingLayers;
class TrainingSentence;
class TrainingSize;
class WindowSettings;
class WrappedLabel;

/// What a model is to learn, what attends, how large it is, and the sentence that is filmed. All of it is
/// remembered; what cannot be trained is said here.
class TrainingForm : public QWidget {
    Q_OBJECT
public:
    TrainingForm(const MechanismLibrary& library, WindowSettings& settings, QWidget* parent = nullptr);

    /// What is asked for; nothing while that cannot be trained.
    const std::optional<TrainingPlan>& plan() const { return plan_; }
    /// The same as a recipe that says everything.
    const std::optional<Recipe>& asked() const { return asked_; }
    std::string task() const;
    FilmedText text() const;  ///< that is to be filmed
    /// Sets every field to a recipe that says its host: sizes that it leaves open are those that suit it, a
    /// text without a source is an example of the task. The button that starts has the focus as soon as it
    /// can be pressed.
    void fill_in(const Recipe& recipe, const FilmedText& text);
    /// Why nothing can be started now; empty when it can.
    void set_obstacle(const QString& obstacle);

protected:
    void keyPressEvent(QKeyEvent* event) override;

signals:
    void start_asked();
    /// The sentence is another one, and can be read.
    void text_changed();

private:
    void build();
    void connect_parts();
    void restore();
    void remember() const;
    void show_hosts();
    void list_attentions();
    /// The other fields follow what attends.
    void follow_attention();
    /// What attends where in which model; sizes and a seed aside.
    Recipe recipe() const;
    HostType host() const;
    /// Prepares what is asked for off this thread: a large model takes longer than a window may stand still.
    void refresh();
    /// The size that suits what attends, then the plan.
    void prepare_size();
    void prepare_plan();
    void take_plan(const Recipe& asked, const Preparation& prepared);
    /// Says what cannot be trained, and lets what can be started.
    void show_outcome(QString refusal);

    WindowSettings& settings_;
    QComboBox *task_, *host_;
    AttentionCombo* attention_;
    TrainingKnobs* knobs_;
    TrainingLayers* layers_;
    RecurrentFields* recurrent_;
    TrainingSize* size_;
    SeedBox* seed_;
    TrainingSentence* sentence_;
    QPushButton* start_;
    WrappedLabel *meaning_, *refusal_;
    QString obstacle_;
    bool keeps_size_ = false;          ///< that it is a remembered one
    bool size_is_due_ = false;         ///< the one that suits what attends is not shown yet
    bool focuses_start_ = false;       ///< if the plan that is being prepared can be started
    bool text_is_new_ = false;         ///< and has not been told
    std::optional<Recipe> filled_in_;  ///< until its size is shown
    std::optional<TrainingPlan> plan_;
    std::optional<Recipe> asked_;
    LatestJob preparing_;
};

}  // namespace headlight
