// The first minute: what a first start shows, and where each way of the Begin column leads.

#include "ui/panels/main_window.h"

#include "core/workbench/session_edits.h"
#include "ui/actions/shortcuts.h"
#include "ui/lesson/lesson_player.h"
#include "ui/panels/begin_panel.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/player_line.h"
#include "ui/panels/sequence_panel.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/train_action.h"
#include "ui/panels/window_columns.h"
#include "ui/panels/window_lessons.h"
#include "ui/panels/window_messages.h"
#include "ui/views/panel_area.h"

#include <QStackedWidget>

namespace headlight {

void MainWindow::build_begin() {
    auto* begin = new BeginPanel(lessons_->menu());
    panels_->ways().addWidget(new PanelArea(begin));
    lessons_->settle_in(
        {*panels_, *views_, *columns_, *messages_, *files_, *train_, player_->player(), *arithmetic_});
    LessonPlayer* lesson = &lessons_->player();
    connect(lesson, &LessonPlayer::moved, this, &MainWindow::place_messages);
    connect(lesson, &LessonPlayer::moved, this, &MainWindow::show_title);
    const auto leave = [this] { columns_->show_begin(false); };
    connect(begin, &BeginPanel::panels_asked, this, leave);
    connect(begin, &BeginPanel::first_example_asked, this, [this] {
        document_->edit(show_three_words(document_->session()));
        // Where it is shown already nothing else would answer the click.
        messages_->say(
            tr("Three words at their first stage. %1 shows the next one; point at a cell for its numbers.")
                .arg(key_text(QStringLiteral("play_forward"))));
    });
    connect(begin, &BeginPanel::mechanism_asked, this, [this, leave](const std::string& id) {
        document_->edit(show_tour_stop(document_->session(), mechanism(id)));
        leave();
    });
    connect(begin, &BeginPanel::model_asked, this, [this, leave](const QString& name) {
        panels_->model().open_model(name);
        leave();
    });
    connect(begin, &BeginPanel::training_asked, train_, &TrainAction::show);
    connect(begin, &BeginPanel::own_text_asked, this, [this, leave] {
        document_->edit(write_own_sentence(document_->session()));
        leave();
        panels_->sequence().choose_text();
    });
    connect(begin, &BeginPanel::file_asked, files_, &FileActions::ask_open);
    connect(files_, &FileActions::opened, this, [this, lesson] { columns_->show_begin(lesson->is_open()); });
}

}  // namespace headlight
