#pragma once

#include "core/figure/theme_table.h"
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
class FileActions;
class FindBar;
class FullScreen;
class MapStrip;
class MechanismLibrary;
class PlayerLine;
class SidePanels;
class TrainAction;
class ViewActions;
class ViewTabs;
class WindowColumns;
class WindowLessons;
class WindowMessages;
class WindowWork;

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
    /// The picture, and what stands above and below it.
    void build_centre();
    /// The ways into the program.
    void build_begin();
    /// The line below the picture, and what is said over it.
    void build_player();
    void build_menus();
    void connect_parts();
    void restore_layout();
    void follow_theme();
    /// Gives the picture, the player, messages and lessons the size that they have in the theme.
    void size_picture();
    /// In the player's line; for a class, where the line of arithmetic is shown, over that.
    void place_messages();
    /// The theme is that of a projector: panels are away, and what is asked and said can be read from afar.
    bool is_for_class() const { return theme_ && headlight::is_for_class(*theme_); }
    /// The keys go to the picture.
    void focus_picture(Qt::FocusReason reason);
    void show_title();

    std::filesystem::path data_folder_;  ///< where what the program keeps for a person is
    WindowSettings settings_;
    KeySettings keys_;
    Actions* actions_;
    Autosave* autosave_;
    MechanismLibrary* library_;  ///< beside the work folder
    std::unique_ptr<Document> document_;
    WindowLessons* lessons_ = nullptr;
    ViewTabs* views_ = nullptr;
    MapStrip* map_ = nullptr;
    WindowMessages* messages_ = nullptr;
    WindowColumns* columns_;
    ViewActions* view_actions_ = nullptr;
    FileActions* files_ = nullptr;
    SidePanels* panels_ = nullptr;
    PlayerLine* player_ = nullptr;
    ArithmeticLine* arithmetic_ = nullptr;
    FindBar* find_ = nullptr;
    FullScreen* full_screen_ = nullptr;
    TrainAction* train_ = nullptr;
    WindowWork* work_ = nullptr;
    std::optional<FigureTheme> theme_;
    bool placed_ = false;  ///< as the last window was
    bool was_shown_ = false;
    bool is_terminating_ = false;  ///< nobody is there to answer a question
};

}  // namespace headlight
