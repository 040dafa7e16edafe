#pragma once

#include "ui/models/shown_runs.h"
#include "ui/views/save_path.h"

#include <QDialog>
#include <QPointer>

#include <filesystem>

namespace headlight {

class Banner;
class Document;
class FilmPanel;
class MechanismLibrary;
class TrainingCurves;
class TrainingForm;
class TrainingHead;
class TrainingList;
class TrainingRuns;
class WindowSettings;

/// A model learns while one looks: what it is to learn, its runs, the curves and the film of one of them or
/// of two, which can be saved as a model. It goes on learning while the window is closed.
class TrainWindow : public QDialog {
    Q_OBJECT
public:
    /// Runs are kept in `folder`; colours are those of the document's view.
    TrainWindow(Document& document, const MechanismLibrary& library, WindowSettings& settings,
                const std::filesystem::path& folder, QWidget* parent = nullptr);
    ~TrainWindow() override;

    TrainingList& runs() { return *runs_; }
    TrainingForm& form() { return *form_; }
    FilmPanel& film() { return *film_; }
    TrainingCurves& curves() { return *curves_; }
    /// The run that is looked at; nullptr when there is none.
    TrainingRun* current() const;
    void save_model_to(const QString& folder);
    /// The program is about to end: asks when a model learns. False keeps it open.
    bool may_close();
    /// Pauses the run that learns, without a question.
    void pause();

public slots:
    void reject() override;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

signals:
    void open_model_asked(const QString& folder);
    /// Tells the run that learns: "Dates in many formats · additive · GRU" and "learning, step 420 of 1,000";
    /// both empty when none does.
    void background_changed(const QString& name, const QString& state);
    /// A run has come to its end while the window was closed.
    void learned(const QString& text);

private:
    QWidget* build_left();
    QWidget* build_right();
    void connect_parts();
    void offer_interrupted();
    void start();
    void ask_stop();
    void ask_save();
    void open_model();
    ShownRuns shown() const;
    void set_cursor(std::optional<Index> step);
    void refresh();
    void refresh_pictures();

    Document& document_;
    WorkingFolder save_folder_;
    TrainingList* runs_;
    TrainingForm* form_;
    TrainingRuns* list_;
    TrainingHead* head_;
    TrainingCurves* curves_;
    FilmPanel* film_;
    Banner* message_;
    QPointer<const TrainingRun> opened_when_saved_;
    std::optional<Index> cursor_;
};

}  // namespace headlight
