#pragma once

#include <QObject>
#include <QPointer>

#include <filesystem>

class QMainWindow;
class QToolButton;

namespace headlight {

class Document;
class MechanismLibrary;
class TrainWindow;
class WindowSettings;
struct FilmedText;
struct Recipe;

/// Opens the window in which models are trained, made when it is first asked for, and says in the main window
/// how far the training is that goes on behind it.
class TrainAction : public QObject {
    Q_OBJECT
public:
    TrainAction(Document& document, MechanismLibrary& library, WindowSettings& settings,
                std::filesystem::path folder, QMainWindow* window);
    /// The window goes before the document that it looks at, and a training pauses.
    ~TrainAction() override;

    /// The button that shows how far it is, for the main window to place; hidden while nothing is learned.
    QToolButton* status() const { return status_; }
    TrainWindow* window() const;  ///< nullptr until it is asked for
    /// Made now, if it was not asked for yet.
    TrainWindow& made_window();
    /// Asks when a model learns. False keeps the program open.
    bool may_close();
    /// Pauses what learns, without a question.
    void pause();

public slots:
    void show();
    /// With the fields of its form set, for Enter to start.
    void show_filled_in(const Recipe& recipe, const FilmedText& text);

signals:
    void open_model_asked(const QString& folder);
    /// A model has learned while its window was closed.
    void notice(const QString& text);

private:
    Document& document_;
    MechanismLibrary& library_;
    WindowSettings& settings_;
    std::filesystem::path folder_;
    QMainWindow* main_;
    QToolButton* status_;
    QPointer<TrainWindow> train_;  ///< the main window's child, which may go with it
};

}  // namespace headlight
