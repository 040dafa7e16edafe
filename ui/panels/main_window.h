#pragma once

#include "core/figure/view_settings.h"
#include "ui/actions/key_settings.h"
#include "ui/models/document.h"
#include "ui/models/window_settings.h"

#include <QMainWindow>

#include <filesystem>
#include <memory>

namespace headlight {

class Actions;
class ArithmeticLine;
class Autosave;
class CatalogueDialog;
class ClassAnswers;
class ClassStrip;
class CommandPalette;
class CostDialog;
class FileActions;
class FindBar;
class FullScreen;
class InspectorPanel;
class KeysDialog;
class LessonEditor;
class LessonMenu;
class LessonPlayer;
class LevelsDialog;
class MapStrip;
class MechanismLibrary;
class MechanismNotes;
class MechanismPanel;
class ModelPanel;
class ParametersPanel;
class MotionBar;
class PlayerBar;
class QuestionBox;
class RunStatus;
class SequencePanel;
class TrainAction;
class ViewActions;
class ViewTabs;
class WindowColumns;
class WindowMessages;
struct LastWork;
struct Lesson;
struct OpenedLesson;

/// Where a window keeps what it remembers.
struct WindowPlaces {
    QString settings_file;              ///< geometry, recent files
    std::filesystem::path work_folder;  ///< the work itself, see Autosave; mechanisms stand beside it

    /// The standard places of the person who runs the program.
    static WindowPlaces standard();
};

/// The window: what goes in on the left, the picture in the middle, the inspector on the right, and below
/// them one line with the player and what runs.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const WindowPlaces& places, QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return *document_; }
    FileActions& files() { return *files_; }
    ViewTabs& views() { return *views_; }

    /// Closes without a question, as the system asks it: what learns is paused, what is open is kept. False,
    /// and still open, when the work could not be kept.
    bool terminate();

    QSize sizeHint() const override;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    static inline const QString mechanism_dock = QStringLiteral("mechanism_dock"),
                                model_dock = QStringLiteral("model_dock");

    void build_centre();
    void build_columns();
    void build_begin();
    void connect_lessons();
    /// From its first step, in the column of ways into the program.
    void play_lesson(Lesson lesson);
    /// From that place on, with what was shown there.
    void resume_lesson(const OpenedLesson& lesson, const Session& shown);
    void show_lesson_editor();
    /// What the window for training is set to, for a step that is being made.
    void give_training();
    /// The player and what runs, in one line.
    void build_player();
    void build_menus();
    void connect_parts();
    void restore_work(const std::optional<LastWork>& work);
    /// Goes on with the lesson that the last window was in. False, and told, where there is no such lesson.
    bool restore_lesson(const LastWork& work);
    /// What of other windows, or unreadable, was found beside the work.
    void tell_found_work();
    /// Asks whether to close although the work could not be kept.
    bool may_lose_work(const Error& error);
    void restore_layout();
    void follow_theme();
    /// Gives the picture, the player, messages and lessons the size that they have in the theme.
    void size_picture();
    /// In the player's line; for a class, where the line of arithmetic is shown, over that.
    void place_messages();
    /// The theme is that of a projector: panels are away, and what is asked and said can be read from afar.
    bool is_for_class() const { return theme_ == FigureTheme::projector; }
    /// Who attends has the left column: the panels of a mechanism, or that of a model or a capture.
    void show_who_attends(const Session& before);
    void show_commands();
    void show_keys();
    void show_cost();
    /// By the word of its CataloguePicture.
    void show_catalogue(const QString& picture);
    void show_next_level();
    /// The dialog of levels, where the view says that one is shown.
    void show_level();
    void show_title();

    std::filesystem::path data_folder_;  ///< where what the program keeps for a person is
    WindowSettings settings_;
    KeySettings keys_;
    Actions* actions_;
    Autosave* autosave_;
    MechanismLibrary* library_;  ///< beside the work folder
    std::unique_ptr<Document> document_;
    ViewTabs* views_ = nullptr;
    MapStrip* map_ = nullptr;
    WindowMessages* messages_ = nullptr;
    WindowColumns* columns_;
    ViewActions* view_actions_ = nullptr;
    FileActions* files_ = nullptr;
    SequencePanel* sequence_ = nullptr;
    MechanismPanel* mechanism_ = nullptr;
    MechanismNotes* notes_ = nullptr;
    ModelPanel* model_ = nullptr;
    ClassAnswers* answers_ = nullptr;
    LessonPlayer* lesson_ = nullptr;
    LessonMenu* lessons_ = nullptr;
    LessonEditor* lesson_editor_ = nullptr;  ///< made when it is first asked for
    ClassStrip* class_strip_ = nullptr;
    QuestionBox* question_ = nullptr;  ///< of the lesson
    InspectorPanel* inspector_ = nullptr;
    ParametersPanel* parameters_ = nullptr;
    PlayerBar* player_ = nullptr;
    MotionBar* motion_ = nullptr;
    ArithmeticLine* arithmetic_ = nullptr;
    FindBar* find_ = nullptr;
    QToolBar* player_bar_ = nullptr;
    QWidget* ways_ = nullptr;    ///< into the program, or a lesson
    QWidget* status_ = nullptr;  ///< beside the player: what runs and what is learned
    FullScreen* full_screen_ = nullptr;
    TrainAction* train_ = nullptr;
    CostDialog* cost_ = nullptr;            ///< made when it is first asked for
    CatalogueDialog* catalogue_ = nullptr;  ///< likewise
    LevelsDialog* levels_ = nullptr;        ///< likewise
    CommandPalette* commands_ = nullptr;    ///< likewise
    KeysDialog* keys_dialog_ = nullptr;     ///< likewise
    std::optional<FigureTheme> theme_;
    bool placed_ = false;  ///< as the last window was
    bool was_shown_ = false;
    bool is_terminating_ = false;  ///< nobody is there to answer a question
};

}  // namespace headlight
