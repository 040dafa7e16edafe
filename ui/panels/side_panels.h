#pragma once

#include "ui/panels/window_columns.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <optional>

class QStackedWidget;

namespace headlight {

class Actions;
class Document;
class FileActions;
class FigurePanel;
class InspectorPanel;
class MechanismLibrary;
class MechanismNotes;
class MechanismPanel;
class ModelPanel;
class ParametersPanel;
class SequencePanel;
class WindowMessages;
class WindowSettings;
struct Session;

/// The panels beside the picture of a window, each in the dock that its row of dock_table.h declares, and
/// where what is asked in them goes.
class SidePanels : public QObject {
    Q_OBJECT
public:
    SidePanels(Document& document, MechanismLibrary& library, WindowSettings& settings, Actions& actions,
               WindowColumns& columns, QObject* parent);

    // What the rows have built.
    Document& document() { return document_; }
    SequencePanel& sequence() { return *sequence_; }
    MechanismPanel& mechanism() { return *mechanism_; }
    MechanismNotes& notes() { return *notes_; }
    ModelPanel& model() { return *model_; }
    InspectorPanel& inspector() { return *inspector_; }
    /// Into the program, or a lesson: empty until somebody fills it.
    QStackedWidget& ways() { return *ways_; }

    /// Opened, a folded column too, for a person who asks for what is in it.
    MechanismPanel& open_mechanism();
    ModelPanel& open_model();
    /// Opens the tree of mechanisms at what the text finds. Where it is closed without a choice, the left
    /// column is as it was; after a choice it is folded as it was.
    void ask_for_mechanism(const QString& text = {});
    /// Who attends has the left column: the panels of a mechanism, or that of a model or a capture.
    void show_who_attends(const Session& before);
    void offer_example();
    /// From now on `files` open and write what is asked for here, and `messages` have what is said.
    void ask(FileActions& files, WindowMessages& messages);

    // For the rows: makes what stands in the dock.
    QWidget* build_sequence();
    QWidget* build_mechanism();
    QWidget* build_parameters();
    QWidget* build_model();
    QWidget* build_inspector();
    QWidget* build_figure();
    QWidget* build_ways();

signals:
    /// What was asked for is done: what comes next is looking.
    void picture_wanted();

private:
    /// Before somebody was asked for a mechanism.
    struct Before {
        WindowColumns::LeftState column;
        QPointer<QWidget> focus;
    };

    void end_choosing(bool was_picked);

    Document& document_;
    MechanismLibrary& library_;
    WindowSettings& settings_;
    Actions& actions_;
    WindowColumns& columns_;
    SequencePanel* sequence_ = nullptr;
    MechanismPanel* mechanism_ = nullptr;
    MechanismNotes* notes_ = nullptr;
    ParametersPanel* parameters_ = nullptr;
    ModelPanel* model_ = nullptr;
    InspectorPanel* inspector_ = nullptr;
    FigurePanel* figure_ = nullptr;
    QStackedWidget* ways_ = nullptr;
    std::optional<Before> before_choosing_;
};

}  // namespace headlight
