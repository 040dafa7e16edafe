#pragma once

#include "core/lesson/lesson.h"
#include "ui/jobs/job_queue.h"
#include "ui/lesson/lesson_draft.h"
#include "ui/lesson/lesson_history.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <vector>

class QAction;
class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTabBar;

namespace headlight {

class ContextMenu;
class Document;
class QuestionForm;

/// Makes lessons: each step is recorded from what the window shows. A window of its own, beside the picture.
/// Every change can be undone; what is written is on the disk a moment later.
class LessonEditor : public QWidget {
    Q_OBJECT
public:
    /// What is being written is kept in the folder `drafts`, and there again the next time.
    LessonEditor(Document& document, std::filesystem::path drafts, QWidget* window);
    /// What was written last is kept first.
    ~LessonEditor() override;

    void edit(Lesson lesson);
    /// A copy of a lesson to write on, which is saved elsewhere.
    void edit_copy(Lesson lesson);
    /// To write on a lesson, from that part of it on: on a copy, where it has no folder of its own. Asks
    /// where what is written now was not saved; nothing changes where it is that lesson already.
    void change(const Lesson& lesson, std::size_t step, std::size_t part);
    /// As it is written now.
    const Lesson& lesson() const { return lesson_; }
    void open_folder(const QString& folder);
    /// Which is made where there is none.
    void save_to(const QString& folder);
    /// May be started in the step that is shown. Refuses what a lesson cannot say.
    void take_training(LessonTraining training);
    void say(const QString& words);

signals:
    /// The step is to have one: what the window for training is set to, for take_training().
    void training_asked();
    /// It is to be gone through in the window.
    void play_asked(const headlight::Lesson& lesson);

private:
    static QPushButton* made_button(const char* id, const QString& words, const QString& effect);
    static void name_button(QPushButton& button, const QString& words, const QString& effect);
    QWidget* build_head();
    QWidget* build_buttons();
    void fill_beginnings(ContextMenu& menu);
    void begin_with_draft();
    /// Goes on with what was written in a window that is gone; what is written now stays where it is.
    void change_draft(const std::filesystem::path& other);
    Lesson empty_lesson() const;
    QWidget* build_steps();
    QWidget* build_step();
    void make_step_fields();
    /// Buttons that take over what the window shows.
    QLayout* build_views();
    QLayout* build_training();
    /// The step is what its fields say.
    void take_over_step();
    LessonStep& step() { return lesson_.steps[at_]; }
    LessonStep recorded_step(const QString& title) const;
    void select(std::size_t step);
    void select_part(int part);
    void show_lesson();
    void show_step();
    void list_steps();
    /// Those that are chosen in the list, in order, where it is several; else none.
    std::vector<std::size_t> chosen_steps() const;
    /// What buttons do with the steps that are chosen.
    void show_chosen();
    void add_step();
    void remove_step();
    void move_step(int by);
    void take_view();
    /// In each part of the chosen steps, or of all.
    void take_view_in_steps();
    void add_reveal();
    void remove_reveal();
    /// A person changed it: it can be undone, and is kept in a moment. Changes with the same `merge` key that
    /// follow one another are one step of undo.
    void touch(const QString& merge = {});
    void keep_soon();
    /// The key of typing into a field of this step.
    QString typing_in(const char* field) const;
    /// Makes that of the row `id`; `keys` are those of that action of the main window.
    QAction* add_history_action(const QString& id, const QString& keys,
                                const LessonHistory::State& (LessonHistory::*way)());
    void show_history();
    /// Asks, where what is written now was not saved.
    bool may_leave();
    void ask_open();
    /// A lesson that is in its folder as it is here.
    void open(Lesson lesson);
    void save();
    void ask_save();
    void keep();
    void check();
    /// Goes through it in the window, unless a question cannot be asked.
    void play();
    void show_training();

    Document& document_;
    LessonDraft draft_;
    Lesson lesson_;            ///< its source is the folder that it was opened from or saved in, if any
    bool is_unsaved_ = false;  ///< was changed since
    LessonHistory history_;
    std::size_t at_ = 0;
    int part_ = 0;
    bool is_filling_ = false;  ///< fields are set by the program, not by a person
    QLineEdit *title_, *summary_, *step_title_;
    QSpinBox *minutes_, *order_;
    QListWidget* steps_;
    QTabBar* parts_;
    QPlainTextEdit *text_, *notes_;
    QuestionForm* question_;
    QPushButton *add_, *remove_, *up_, *down_, *take_in_steps_, *add_reveal_, *remove_reveal_,
        *change_training_;
    QAction *undo_, *redo_;
    QLabel *said_, *training_;
    QTimer keeping_;
    JobQueue queue_;
};

}  // namespace headlight
