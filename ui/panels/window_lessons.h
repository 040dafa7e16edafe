#pragma once

#include "core/lesson/answer_book.h"
#include "ui/panels/window_columns.h"

#include <QObject>

#include <filesystem>
#include <optional>
#include <vector>

class QDialog;
class QWidget;

namespace headlight {

class Actions;
class ArithmeticLine;
class ClassAnswers;
class ClassStrip;
class Document;
class FileActions;
class LessonEditor;
class LessonMenu;
class LessonPanel;
class LessonPlayer;
class PlayerBar;
class Presenter;
class QuestionBox;
class SidePanels;
class TrainAction;
class ViewTabs;
class WindowMessages;
class WindowSettings;
struct Lesson;
struct OpenedLesson;
struct Session;

/// The lessons of a window: which one is open, what is said and asked beside the picture and above it, and
/// the windows around them. What could give an answer away is withheld while a question is open.
class WindowLessons : public QObject {
    Q_OBJECT
public:
    /// What a lesson reaches in its window.
    struct Surroundings {
        SidePanels& panels;
        ViewTabs& views;
        WindowColumns& columns;
        WindowMessages& messages;
        FileActions& files;
        TrainAction& train;
        PlayerBar& player;
        ArithmeticLine& arithmetic;
    };

    /// `folder` has what classes answered, and what the editor keeps.
    WindowLessons(Document& document, WindowSettings& settings, Actions& actions,
                  std::filesystem::path folder, QWidget* window);

    LessonPlayer& player() { return *player_; }
    LessonMenu& menu() { return *menu_; }
    /// What is asked, for above the picture where the column of lessons is away.
    ClassStrip& class_strip() { return *class_strip_; }

    /// Puts the lesson behind the ways into the program, and leads where each of its parts goes. Once, when
    /// the window has all of these.
    void settle_in(const Surroundings& around);
    /// From that place on, with what was shown there.
    void resume(const OpenedLesson& lesson, const Session& shown);
    /// Leaves the open lesson for the ways into the program, whatever stood in their column before.
    void leave_for_begin();

    // Dialogs around the lessons. But for the editor they are gone once they are closed.
    QDialog* make_course_quiz(GivenAnswer::When when);
    /// About the open lesson.
    QDialog* make_lesson_quiz(GivenAnswer::When when);
    QDialog* make_progress();
    /// Made when it is first asked for.
    LessonEditor& editor();
    /// Shows the editor with the open lesson, at the step in view.
    void change_lesson();

private:
    /// From its first step, in the column of ways into the program.
    void play(Lesson lesson);
    void add_knobs(LessonPanel& panel);
    void connect_presenter(LessonPanel& panel, Presenter& presenter);
    void connect_hand_out(LessonPanel& panel);
    void connect_menu();
    /// The lesson is elsewhere.
    void follow();
    /// Keeps hidden what would answer the open question, as long as it is asked somewhere.
    void withhold();
    /// What stands in the left column comes back when the lesson is left.
    void remember_column();
    /// What was folded, or brought in place of the lesson since, stays so.
    void bring_column_back();
    void open_folder();
    QDialog* make_quiz(const QString& title, std::vector<QuizQuestion> quiz, bool is_course,
                       GivenAnswer::When when);
    /// What the window for training is set to, for a step that is being made.
    void give_training();

    Document& document_;
    WindowSettings& settings_;
    Actions& actions_;
    std::filesystem::path folder_;
    QWidget* window_;
    LessonPlayer* player_;
    LessonMenu* menu_;
    ClassAnswers* answers_;
    ClassStrip* class_strip_;
    LessonEditor* editor_ = nullptr;  ///< made when it is first asked for
    // What stands around it.
    SidePanels* panels_ = nullptr;
    WindowColumns* columns_ = nullptr;
    WindowMessages* messages_ = nullptr;
    TrainAction* train_ = nullptr;
    ArithmeticLine* arithmetic_ = nullptr;
    QuestionBox* question_ = nullptr;
    std::optional<WindowColumns::LeftState> before_;  ///< the open lesson
};

}  // namespace headlight
