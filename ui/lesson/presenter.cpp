#include "ui/lesson/presenter.h"

#include "ui/lesson/class_overlay.h"
#include "ui/lesson/lesson_player.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/shortcuts.h"

#include <QAction>
#include <QFontInfo>
#include <QLabel>
#include <QShortcut>
#include <QTextBrowser>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>

#include <chrono>

namespace headlight {
namespace {

QString minutes_text(qint64 milliseconds) {
    const qint64 seconds = milliseconds / 1000;
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

Presenter::Presenter(LessonPlayer& player, QWidget* window)
    : QWidget(window, Qt::Window), player_(player), overlay_(new ClassOverlay(window)), place_(new QLabel),
      asked_(new QLabel), clock_(new QLabel), next_(new QLabel), notes_(new QTextBrowser),
      back_(add_action(QStringLiteral("presenter_back"), tr("Back"), tr("What the class saw before"))),
      on_(add_action(QStringLiteral("presenter_next"), tr("Next"), tr("What comes next"))),
      black_(add_action(QStringLiteral("presenter_black"), tr("Black"),
                        tr("The class sees a black screen, until the same key or a click"))),
      ring_(add_action(QStringLiteral("presenter_ring"), tr("Ring"), tr("A ring around the pointer"))),
      pen_(add_action(QStringLiteral("presenter_pen"), tr("Pen"),
                      tr("Draws over the picture; it vanishes with the next step"))) {
    setObjectName(QStringLiteral("presenter"));
    setWindowTitle(tr("Presenter"));
    resize(80 * fontMetrics().averageCharWidth(), 32 * fontMetrics().height());
    QFont large;
    large.setPointSizeF(1.4 * QFontInfo(font()).pointSizeF());
    place_->setObjectName(QStringLiteral("presenter_place"));
    place_->setWordWrap(true);
    make_title(*place_);
    clock_->setObjectName(QStringLiteral("presenter_clock"));
    clock_->setFont(large);
    clock_->setAlignment(Qt::AlignRight | Qt::AlignTop);
    asked_->setObjectName(QStringLiteral("presenter_asked"));
    asked_->setWordWrap(true);
    notes_->setObjectName(QStringLiteral("presenter_notes"));
    notes_->setAccessibleName(tr("Notes"));
    notes_->setFont(large);
    notes_->setFrameShape(QFrame::NoFrame);
    next_->setObjectName(QStringLiteral("presenter_coming"));
    next_->setWordWrap(true);
    make_note(*next_);

    // The class's window hears the keys of a remote as well.
    for (QAction* action : {black_, ring_, pen_}) {
        action->setCheckable(true);
        window->addAction(action);
    }
    const auto also_by_keys = [this](const char* id, QAction* action) {
        for (const QKeySequence& key : keys_of(QLatin1String(id)))
            connect(new QShortcut(key, this), &QShortcut::activated, action, &QAction::trigger);
    };
    also_by_keys("lesson_back", back_);
    also_by_keys("lesson_next", on_);
    connect(back_, &QAction::triggered, &player_, &LessonPlayer::go_back);
    connect(on_, &QAction::triggered, &player_, &LessonPlayer::go_on);
    connect(black_, &QAction::toggled, overlay_, &ClassOverlay::set_black);
    connect(overlay_, &ClassOverlay::black_ended, black_, [this] { black_->setChecked(false); });
    connect(ring_, &QAction::toggled, overlay_, &ClassOverlay::set_ring);
    connect(pen_, &QAction::toggled, overlay_, &ClassOverlay::set_pen);
    auto* whole = add_action(QStringLiteral("presenter_full_screen"), tr("Full screen"),
                             tr("The class sees picture and question on the whole screen"));
    connect(whole, &QAction::triggered, this, &Presenter::full_screen_asked);
    auto* again = add_action(QStringLiteral("presenter_clock_again"), tr("Clock to 0:00"),
                             tr("Counts from the beginning again"));
    connect(again, &QAction::triggered, this, [this] {
        elapsed_.start();
        show_time();
    });

    auto* top = new QHBoxLayout;
    top->addWidget(place_, 1);
    top->addWidget(clock_);
    auto* buttons = new QHBoxLayout;
    for (QAction* action : {back_, on_, black_, ring_, pen_, whole, again}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        describe(button, action->objectName() + QStringLiteral("_button"), action->text(), action->toolTip());
        give_role(*button, Role::option);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addWidget(asked_);
    column->addWidget(notes_, 1);
    column->addWidget(next_);
    column->addLayout(buttons);

    second_.setInterval(std::chrono::seconds(1));
    connect(&second_, &QTimer::timeout, this, &Presenter::show_time);
    connect(&player_, &LessonPlayer::moved, this, &Presenter::show_place);
    connect(&player_, &LessonPlayer::told, this, &Presenter::show_words);
    for (QAction* action : {black_, ring_, pen_})
        action->setEnabled(false);  // their letters are for nobody else's use while a class looks
}

QAction* Presenter::add_action(const QString& id, const QString& words, const QString& effect) {
    auto* action = new QAction(words, this);
    action->setObjectName(id);
    give_keys(*action);
    action->setToolTip(with_key(effect, id));
    addAction(action);
    return action;
}

void Presenter::present() {
    if (!elapsed_.isValid())
        elapsed_.start();
    second_.start();
    for (QAction* action : {black_, ring_, pen_})
        action->setEnabled(true);
    show_place();
    show_words();
    show_time();
    show();
    raise();
    activateWindow();
}

void Presenter::show_place() {
    if (!player_.is_open()) {
        close();
        return;
    }
    overlay_->wipe();
    const Lesson& lesson = player_.lesson();
    const std::size_t step = player_.step();
    const LessonStep& here = lesson.steps[step];
    place_->setText(tr("Step %1 of %2: %3")
                        .arg(step + 1)
                        .arg(lesson.steps.size())
                        .arg(QString::fromStdString(here.title)));
    back_->setEnabled(!player_.is_first());
    on_->setEnabled(!player_.is_last() || player_.open_question());
    if (player_.is_last())
        next_->setText(tr("This is the end of the lesson."));
    else if (player_.state() + 1 < here.states.size())
        next_->setText(player_.open_question() ? tr("Next: the answer") : tr("Next: the step goes on"));
    else
        next_->setText(tr("Next: %1").arg(QString::fromStdString(lesson.steps[step + 1].title)));
}

void Presenter::show_words() {
    if (!player_.is_open())
        return;
    const auto& question = player_.lesson().steps[player_.step()].question;
    asked_->setVisible(question.has_value());
    if (question)
        asked_->setText(player_.answer_words().isEmpty()
                            ? QString::fromStdString(question->ask)
                            : tr("%1\nThe answer: %2")
                                  .arg(QString::fromStdString(question->ask), player_.answer_words()));
    if (!player_.problem().isEmpty())
        return notes_->setMarkdown(player_.problem());
    const QString reads = tr("*The class reads:*") + QStringLiteral("\n\n") + player_.text();
    notes_->setMarkdown(player_.notes().isEmpty() ? reads : player_.notes() + QStringLiteral("\n\n") + reads);
}

void Presenter::show_time() {
    clock_->setText(tr("%1 of %2 min, %3")
                        .arg(minutes_text(elapsed_.elapsed()))
                        .arg(player_.is_open() ? player_.lesson().minutes : 0)
                        .arg(QTime::currentTime().toString(QStringLiteral("HH:mm"))));
}

void Presenter::closeEvent(QCloseEvent* event) {
    second_.stop();
    elapsed_.invalidate();
    for (QAction* action : {black_, ring_, pen_}) {
        action->setChecked(false);
        action->setEnabled(false);
    }
    QWidget::closeEvent(event);
}

}  // namespace headlight
