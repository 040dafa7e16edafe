#pragma once

#include <QObject>

#include <string>

class QMenu;

namespace headlight {

class Actions;

/// Every lesson, and what there is around them: in the column of ways into the program and in the menu bar.
/// The lessons are read when the menu is first opened: starting pays for none of them.
class LessonMenu : public QObject {
    Q_OBJECT
public:
    /// Does the work of the `actions` of the menu of lessons.
    explicit LessonMenu(Actions& actions, QObject* parent = nullptr);

    QMenu& menu() { return menu_; }
    /// Shows what can be done in the lesson that is open, the last entry, or hides it.
    void set_open(bool open);

signals:
    void lesson_asked(const std::string& id);
    /// Asks for a folder that somebody shared.
    void folder_asked();

private:
    /// Puts the lessons before what there is around them.
    void add_lessons();

    QMenu &menu_, &this_lesson_;
};

}  // namespace headlight
