#include "ui/lesson/lesson_panel.h"

#include "core/figure/stage_chain.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"
#include "ui/actions/actions.h"
#include "ui/actions/shortcuts.h"
#include "ui/lesson/lesson_end.h"
#include "ui/lesson/question_box.h"
#include "ui/render/subscripts.h"
#include "ui/views/closed_browser.h"
#include "ui/views/describe.h"
#include "ui/views/panel_area.h"
#include "ui/views/role.h"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextDocument>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

QPushButton* button(const char* id, const QString& words, const QString& effect) {
    auto* made = new QPushButton(words);
    describe_with_key(made, QLatin1String(id), QString(words).remove(u'&'), effect);
    return made;
}

/// The row that a question for a cell names; nothing where the whole map is asked about, or has no such row.
std::optional<Index> asked_row(const Question& question, const Trace& trace, const Selection& selection) {
    if (question.query.empty())
        return std::nullopt;
    try {
        return LessonNumbers(trace, selection).query_at(question.query);
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Has the places where a number could not be written stand out, each with the reasons in its tip.
void mark_lacking_numbers(QTextDocument& text, const QString& reasons) {
    const QString mark = QString::fromUtf8(lacking_number_mark.data(), lacking_number_mark.size());
    QTextCharFormat look;
    look.setFontWeight(QFont::Bold);
    look.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    look.setToolTip(reasons);
    for (QTextCursor found = text.find(mark); !found.isNull(); found = text.find(mark, found))
        found.mergeCharFormat(look);
}

}  // namespace

LessonPanel::LessonPanel(LessonPlayer& player, Document& document, Actions& actions, QWidget* parent)
    : QWidget(parent), player_(player), document_(document), title_(new QLabel), place_(new QLabel),
      verdict_(new QLabel), problem_(new QLabel), not_its_figure_(new QLabel), column_(new QVBoxLayout),
      text_(new ClosedBrowser), question_(new QuestionBox), end_(new LessonEnd(player)),
      go_back_(&actions.at(QStringLiteral("lesson_back"))),
      go_on_(&actions.at(QStringLiteral("lesson_next"))),
      show_answer_(&actions.at(QStringLiteral("lesson_show_answer"))),
      count_(&actions.at(QStringLiteral("lesson_counting"))),
      back_(button("lesson_back", tr("Bac&k"), tr("What was shown before"))),
      next_(button("lesson_next", tr("&Next"), tr("What comes next in the lesson"))),
      hand_out_(button("lesson_hand_out", tr("Hand o&ut"),
                       tr("Questions before and after the lesson, a sheet for the class, a page, pictures"))),
      train_(button("lesson_train", tr("Tra&in it here…"),
                    tr("The window in which models learn, filled in with this step's; Enter starts it"))) {
    describe_texts();
    auto* again = button("lesson_again", tr("Sho&w again"),
                         tr("Puts the lesson's own picture back, whatever was changed"));
    auto* leave = button("lesson_leave", tr("Le&ave"), tr("Back to what was open before the lesson"));
    QAction* change = &actions.at(QStringLiteral("lesson_change"));
    auto* change_button = new QToolButton;
    describe(change_button, QStringLiteral("lesson_change_button"), tr("Change this lesson"),
             actions.effect(change->objectName()));
    change_button->setText(tr("Change…"));
    give_role(*change_button, Role::option);
    connect(change_button, &QToolButton::clicked, change, &QAction::trigger);
    auto* place_line = new QHBoxLayout;
    place_line->addWidget(place_, 1);
    place_line->addWidget(change_button, 0, Qt::AlignTop);
    auto* onward = new QHBoxLayout;
    onward->addWidget(back_);
    onward->addWidget(next_);
    hand_out_->setMenu(&actions.menu(QStringLiteral("hand_out_menu")));
    auto* present = button("lesson_present", tr("Presen&t"),
                           tr("A second window with notes, answers and a clock, for the teacher"));
    connect(present, &QPushButton::clicked, this, &LessonPanel::present_asked);
    connect(train_, &QPushButton::clicked, this, [this] {
        if (const LessonTraining* training = player_.training())
            emit training_asked(*training);
    });
    auto* others = new QHBoxLayout;
    onward->addWidget(present);
    others->addWidget(hand_out_);
    others->addWidget(again);
    others->addWidget(leave);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->addWidget(text_, 1);
    column_->addWidget(not_its_figure_);
    column_->addWidget(question_);
    column_->addWidget(verdict_);
    column_->addWidget(problem_);
    column_->addWidget(end_);
    column_->addWidget(train_);
    auto* scrolled = new QWidget;
    scrolled->setLayout(column_);
    area_ = new PanelArea(scrolled);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(8, 8, 8, 8);
    whole->addWidget(title_);
    whole->addLayout(place_line);
    whole->addWidget(area_, 1);
    whole->addLayout(onward);
    whole->addLayout(others);

    bind(actions);
    connect(back_, &QPushButton::clicked, &player_, &LessonPlayer::read_back);
    connect(next_, &QPushButton::clicked, &player_, &LessonPlayer::read_on);
    question_->set_tab_anchor(*text_);
    setTabOrder(leave, change_button);  // whoever comes into the panel reads first
    show_place();
    connect(&KeysInForce::instance(), &KeysInForce::changed, this, &LessonPanel::show_tip_of_next);
    connect(again, &QPushButton::clicked, &player_, &LessonPlayer::show_again);
    connect(not_its_figure_, &QLabel::linkActivated, &player_, &LessonPlayer::show_again);
    connect(leave, &QPushButton::clicked, &player_, &LessonPlayer::leave);
    follow();
}

void LessonPanel::describe_texts() {
    title_->setObjectName(QStringLiteral("lesson_title"));
    title_->setWordWrap(true);
    make_title(*title_);
    place_->setObjectName(QStringLiteral("lesson_place"));
    place_->setWordWrap(true);
    make_note(*place_);
    text_->setObjectName(QStringLiteral("lesson_text"));
    text_->setAccessibleName(tr("What the lesson says"));
    text_->setFrameShape(QFrame::NoFrame);
    // A few lines of its type: more only where what is asked leaves it room.
    text_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    text_->viewport()->setAutoFillBackground(false);  // text of the panel, not a field
    verdict_->setObjectName(QStringLiteral("lesson_verdict"));
    verdict_->setWordWrap(true);
    problem_->setObjectName(QStringLiteral("lesson_problem"));
    problem_->setAccessibleName(tr("Why numbers are lacking"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    give_role(*problem_, Role::problem);
    problem_->hide();
    describe(not_its_figure_, QStringLiteral("lesson_not_its_figure"), tr("What the picture shows"),
             tr("Puts the lesson's own picture back, whatever was changed"));
    not_its_figure_->setTextFormat(Qt::RichText);
    not_its_figure_->setText(tr("This is not the lesson's figure: %1show it again%2")
                                 .arg(QStringLiteral("<a href=\"again\">"), QStringLiteral("</a>")));
    not_its_figure_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    not_its_figure_->setWordWrap(true);
    make_note(*not_its_figure_);
}

void LessonPanel::follow() {
    connect(end_, &LessonEnd::begin_asked, this, &LessonPanel::begin_asked);
    connect(question_, &QuestionBox::answered, &player_, &LessonPlayer::answer);
    connect(question_, &QuestionBox::answer_asked, &player_, &LessonPlayer::go_on);
    connect(&player_, &LessonPlayer::moved, this, &LessonPanel::show_place);
    connect(&player_, &LessonPlayer::told, this, &LessonPanel::show_words);
    connect(&player_, &LessonPlayer::page_changed, this, &LessonPanel::show_way_back);
    connect(&player_, &LessonPlayer::page_changed, this,
            [this] { question_->show_answer_next(player_.is_answer_next()); });
    connect(question_, &QuestionBox::cell_step_asked, this, &LessonPanel::step_cell);
    connect(question_, &QuestionBox::hands_changed, this, &LessonPanel::show_commands);
    connect(&document_, &Document::session_changed, this, &LessonPanel::show_way_to_figure);
    connect(&document_, &Document::run_changed, this, &LessonPanel::take_cell);
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        show_way_to_figure();
        const Selection& now = document_.view().selection;
        if (before.selection.query != now.query || before.selection.key != now.key)
            take_cell();
    });
}

void LessonPanel::put_below_text(QWidget* widget) {
    column_->insertWidget(column_->indexOf(text_) + 1, widget);
}

void LessonPanel::bind(Actions& actions) {
    const auto bound = [this, &actions](const char* id, const auto& work) {
        actions.bind(QLatin1String(id), this, work);
        return &actions.at(QLatin1String(id));
    };
    bound("lesson_next", [this] { player_.read_on(); });
    bound("lesson_back", [this] { player_.read_back(); });
    bound("lesson_show_answer", [this] { player_.go_on(); });
    count_->setCheckable(true);
    bound("lesson_counting", [this](bool on) { question_->set_counting(on); });
    bound("lesson_present", &LessonPanel::present_asked);
    quizzes_ = {&actions.at(QStringLiteral("lesson_quiz_before")),
                &actions.at(QStringLiteral("lesson_quiz_after"))};
    papers_ = {bound("lesson_handout", &LessonPanel::handout_asked),
               bound("lesson_as_page", &LessonPanel::page_asked),
               bound("lesson_pictures", &LessonPanel::pictures_asked)};
    bound("lesson_again", [this] { player_.show_again(); });
    bound("lesson_leave", [this] { player_.leave(); });
}

void LessonPanel::show_tip_of_next() {
    next_->setToolTip(
        with_key(player_.open_question()
                     ? tr("Guess first, or press Show the answer; the key, pressed twice, shows it as well")
                     : tr("What comes next in the lesson"),
                 next_->objectName()));
}

void LessonPanel::show_commands() {
    show_answer_->setEnabled(player_.open_question());
    count_->setEnabled(player_.open_question());
    count_->setChecked(question_->is_counting());
}

void LessonPanel::take_cell() {
    const Question* asked = player_.open_question();
    const auto run = document_.run();
    if (!asked || asked->kind != Question::Kind::cell || !run || document_.is_running())
        return;
    const Selection& now = document_.view().selection;
    if (asked_row(*asked, *run->trace, now).value_or(now.query) != now.query)
        return question_->refuse_cell(
            tr("Choose a cell in the row of %1.").arg(QString::fromStdString(in_quotes(asked->query))));
    const TokenLabels& tokens = run->trace->tokens_at(now.site);
    const auto named = [](const std::vector<std::string>& names, Index at) {
        return at < std::ssize(names) ? QString::fromStdString(isolated(names[static_cast<std::size_t>(at)]))
                                      : QString::number(at + 1);
    };
    question_->take_cell(now.query, now.key,
                         tr("%1 looks at %2")
                             .arg(named(tokens.query, now.query),
                                  named(tokens.key.empty() ? tokens.query : tokens.key, now.key)));
}

void LessonPanel::step_cell(int rows, int columns) {
    const Question* asked = player_.open_question();
    const auto run = document_.run();
    if (!asked || !run || document_.is_running())
        return;
    Selection selection = document_.view().selection;
    const Stage* weights = run->trace->find("weights", find_site(*run->trace, selection.site));
    if (!weights)
        return;
    const auto moved = [](Index from, int by, Index count) {
        return std::clamp<Index>(from + by, 0, count - 1);
    };
    selection.query = asked_row(*asked, *run->trace, selection)
                          .value_or(moved(selection.query, rows, weights->extent(Axis::query)));
    selection.key = moved(selection.key, columns, weights->extent(Axis::key));
    document_.looking().select(selection);
}

void LessonPanel::show_way_to_figure() {
    not_its_figure_->setVisible(player_.is_open() && !player_.is_ended() && !player_.shows_own_figure());
}

void LessonPanel::show_way_back() {
    const bool is_first = player_.is_first() && player_.page() == 0 && !player_.is_answer_next();
    back_->setEnabled(player_.is_open() && (!is_first || player_.is_ended()));
}

void LessonPanel::show_place() {
    const bool has_next = player_.is_open() && !player_.is_ended();
    const QWidget* focus = QApplication::focusWidget();
    const bool was_on_the_way =
        focus && (focus == next_ || question_->isAncestorOf(focus) || end_->isAncestorOf(focus));
    const bool has_quiz = player_.is_open() && !player_.lesson().quiz.empty();
    hand_out_->setEnabled(player_.is_open());
    for (QAction* entry : std::as_const(quizzes_))
        entry->setEnabled(has_quiz);
    for (QAction* entry : std::as_const(papers_))
        entry->setEnabled(player_.is_open());
    show_way_back();
    // At the ends of a lesson its keys do nothing: else they would be those of the player, and the picture
    // would go on alone.
    go_back_->setEnabled(player_.is_open());
    go_on_->setEnabled(player_.is_open());
    // The key of a remote shows the answer, asked twice; a button that people press without a look does not.
    next_->setEnabled(has_next && !player_.open_question());
    show_tip_of_next();
    train_->setVisible(player_.training() && !player_.is_ended());
    question_->ask(player_.open_question());
    question_->show_answer_next(player_.is_answer_next());
    show_commands();
    take_cell();
    end_->refresh();
    show_way_to_figure();
    if (!player_.is_open())
        return;
    const Lesson& lesson = player_.lesson();
    title_->setText(QString::fromStdString(lesson.title));
    place_->setText(player_.is_ended()
                        ? tr("The end")
                        : tr("Step %1 of %2: %3")
                              .arg(player_.step() + 1)
                              .arg(lesson.steps.size())
                              .arg(QString::fromStdString(lesson.steps[player_.step()].title)));
    area_->show_top();
    move_focus(was_on_the_way);
}

void LessonPanel::move_focus(bool was_on_the_way) {
    if (!was_on_the_way || player_.is_ended())
        return;
    if (!player_.open_question())
        next_->setFocus();
    else if (!question_->take_focus())
        text_->setFocus();
}

void LessonPanel::show_words() {
    if (!player_.is_open())
        return;
    text_->setMarkdown(player_.is_ended() ? end_text(player_) : player_.text());
    lower_subscripts(*text_->document());
    problem_->setText(player_.problem());
    problem_->setVisible(!player_.problem().isEmpty() && !player_.is_ended());
    if (problem_->isVisibleTo(this))
        mark_lacking_numbers(*text_->document(), player_.problem());
    QTimer::singleShot(0, this, &LessonPanel::show_newest_words);  // what stands below it takes room first
    const auto& verdict = player_.verdict();
    verdict_->setVisible(verdict.has_value() && !player_.is_ended());
    if (verdict)
        verdict_->setText(verdict->judgement() + u' ' + verdict->because);
}

void LessonPanel::show_newest_words() {
    if (!player_.is_open() || player_.is_ended() || player_.text() == player_.newest_text())
        return;
    QTextDocument before;
    before.setMarkdown(player_.text().chopped(player_.newest_text().size()));
    const QTextDocument& all = *text_->document();
    const QTextBlock newest = all.findBlockByNumber(before.blockCount());
    if (newest.isValid())
        text_->verticalScrollBar()->setValue(
            static_cast<int>(all.documentLayout()->blockBoundingRect(newest).top()));
}

void LessonPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // A text keeps the font and the colours that it was made in.
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        show_words();
}

}  // namespace headlight
