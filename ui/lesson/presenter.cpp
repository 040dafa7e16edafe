#include "ui/lesson/presenter.h"

#include "ui/actions/actions.h"
#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"
#include "ui/actions/theme_rows.h"
#include "ui/lesson/class_overlay.h"
#include "ui/lesson/class_pen.h"
#include "ui/lesson/lesson_player.h"
#include "ui/lesson/options_box.h"
#include "ui/render/subscripts.h"
#include "ui/views/closed_browser.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QAction>
#include <QApplication>
#include <QFontInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QScreen>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWindow>

#include <algorithm>
#include <chrono>
#include <utility>

namespace headlight {
namespace {

QString minutes_text(qint64 milliseconds) {
    const qint64 seconds = milliseconds / 1000;
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

/// One that the class does not see; nullptr where there is none.
QScreen* screen_beside(const QWidget& window) {
    const QList<QScreen*> screens = window.screen()->virtualSiblings();
    const auto other = std::ranges::find_if(screens, [&](const QScreen* each) {
        return !each->geometry().intersects(window.screen()->geometry());
    });
    return other == screens.end() ? nullptr : *other;
}

}  // namespace

Presenter::Presenter(LessonPlayer& player, Actions& actions, QWidget* window)
    : QWidget(window, Qt::Window), player_(player), overlay_(new ClassOverlay(window)), place_(new QLabel),
      asked_(new QLabel), clock_(new QLabel), next_(new QLabel), notes_(new ClosedBrowser),
      lesson_back_(&actions.at(QStringLiteral("lesson_back"))),
      lesson_next_(&actions.at(QStringLiteral("lesson_next"))),
      projector_(&actions.at(QString::fromStdString(theme_action(theme_row(FigureTheme::projector))))),
      black_(add_action(QStringLiteral("presenter_black"))),
      ring_(add_action(QStringLiteral("presenter_ring"))), pen_(add_action(QStringLiteral("presenter_pen"))),
      shown_(add_action(QStringLiteral("presenter_notes"))),
      back_(made_button(QStringLiteral("presenter_back"), tr("Back"), tr("What the class saw before"),
                        lesson_back_->objectName())),
      on_(made_button(QStringLiteral("presenter_next"), tr("Next"), tr("What comes next"),
                      lesson_next_->objectName())) {
    setObjectName(QStringLiteral("presenter"));
    setWindowTitle(tr("Presenter"));
    resize(80 * fontMetrics().averageCharWidth(), 32 * fontMetrics().height());
    describe_texts();
    follow_actions();
    auto* whole = made_button(QStringLiteral("presenter_full_screen"), tr("Full screen"),
                              tr("The class sees picture and question on the whole screen"));
    connect(whole, &QToolButton::clicked, &actions.at(QStringLiteral("only_picture")), &QAction::trigger);
    auto* again = made_button(QStringLiteral("presenter_clock_again"), tr("Clock to 0:00"),
                              tr("Counts from the beginning again"));
    connect(again, &QToolButton::clicked, this, [this] {
        elapsed_.start();
        show_time();
    });

    auto* top = new QHBoxLayout;
    top->addWidget(place_, 1);
    top->addWidget(clock_);
    auto* buttons = new QHBoxLayout;
    const auto button_of = [](QAction* action) {
        const QString id = action->objectName();
        auto* button = made_button(id, action->text(), action_words(action_row(id)->tip), id);
        button->setDefaultAction(action);
        return button;
    };
    for (QToolButton* button :
         {back_, on_, button_of(black_), button_of(ring_), button_of(pen_), button_of(shown_), whole, again})
        buttons->addWidget(button);
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
    connect(&player_, &LessonPlayer::page_changed, this, &Presenter::show_coming);
    end();
    offer_over_picture(false);  // their letters are for others' use as long as no lesson is open
}

void Presenter::describe_texts() {
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
}

void Presenter::follow_actions() {
    addActions({lesson_back_, lesson_next_});
    for (QAction* action : {black_, ring_, pen_})
        action->setCheckable(true);
    connect(back_, &QToolButton::clicked, lesson_back_, &QAction::trigger);
    connect(on_, &QToolButton::clicked, lesson_next_, &QAction::trigger);
    connect(black_, &QAction::toggled, overlay_, &ClassOverlay::set_black);
    connect(overlay_, &ClassOverlay::black_ended, black_, [this] { black_->setChecked(false); });
    connect(ring_, &QAction::toggled, overlay_, &ClassOverlay::set_ring);
    connect(pen_, &QAction::toggled, this, &Presenter::set_pen);
    connect(pen_, &QAction::triggered, this, [this](bool on) {
        if (on)
            emit notice(pen_words());
    });
    connect(pen_, &QAction::toggled, this, [this](bool on) {
        if (!on)
            emit notice_over(pen_words());
    });
    connect(shown_, &QAction::triggered, this, [this] {
        if (!is_presenting())
            emit notice(tr("Your notes are shown while you present: Lessons > This lesson > Present."));
        else
            isVisible() ? hide() : show_notes();
    });
}

Presenter::~Presenter() { delete pen_strokes_; }

QAction* Presenter::add_action(const QString& id) {
    QAction* action = make_action(id, this);
    give_keys(*action);
    addAction(action);
    parentWidget()->addAction(action);  // the class's window hears the keys of a remote as well
    return action;
}

QToolButton* Presenter::made_button(const QString& id, const QString& words, const QString& effect,
                                    const QString& key_of) {
    auto* button = new QToolButton;
    describe_with_key(button, id + QStringLiteral("_button"), words, effect, key_of);
    button->setText(words);
    give_role(*button, Role::option);
    return button;
}

void Presenter::set_picture(QWidget* picture) {
    if (picture_ == picture)
        return;
    picture_ = picture;
    set_pen(pen_->isChecked());
}

void Presenter::set_pen(bool on) {
    delete pen_strokes_;
    if (on && picture_)
        pen_strokes_ = new ClassPen(picture_);
}

QString Presenter::pen_words() const {
    return tr("The pen is on: draw over the picture. %1 or Esc ends it.").arg(key_text(pen_->objectName()));
}

QString Presenter::begun_words() const {
    const auto key_or = [](const QString& id, const QString& menu) {
        const QString key = key_text(id);
        return key.isEmpty() ? menu : key;
    };
    QString words =
        tr("You are presenting: %1 goes on, %2 back. The class sees this one screen, so your notes stay "
           "closed: %3 shows and hides them. To end, close the window of the notes or leave the lesson.")
            .arg(key_or(QStringLiteral("lesson_next"), tr("Next")),
                 key_or(QStringLiteral("lesson_back"), tr("Back")),
                 key_or(shown_->objectName(), tr("Notes")));
    if (!projector_->isChecked())
        words += QChar(u' ') + tr("Large type for a projector: %1.")
                                   .arg(key_or(projector_->objectName(), tr("View > Theme > Projector")));
    return words;
}

void Presenter::present() {
    const bool is_again = is_presenting();
    if (!is_again) {
        elapsed_.start();
        second_.start();
        emit presenting_changed(true);
        show_place();
        show_words();
        show_time();
    }
    if (QScreen* beside = screen_beside(*parentWidget())) {
        if (!isVisible())
            place_on(*beside);
        show_notes();
    } else if (is_again) {
        show_notes();
    } else {
        emit notice(begun_words());
    }
}

void Presenter::place_on(QScreen& screen) {
    setScreen(&screen);
    move(screen.availableGeometry().center() - rect().center());
    // Under Wayland no window places itself, but one that fills a screen says which.
    if (QGuiApplication::platformName().startsWith(QLatin1String("wayland")))
        setWindowState(windowState() | Qt::WindowFullScreen);
}

void Presenter::show_notes() {
    show();
    raise();
    activateWindow();
    notes_->setFocus();
}

QAction* Presenter::foremost() const {
    for (QAction* action : {black_, pen_, ring_})
        if (action->isChecked())
            return action;
    return nullptr;
}

bool Presenter::step_by(const QKeyEvent& key, const QWidget& receiver) {
    const bool is_space = key.key() == Qt::Key_Space;
    if (is_space && qobject_cast<const QAbstractButton*>(&receiver))
        return false;  // it presses the button
    if (is_space || key.key() == Qt::Key_Right)
        lesson_next_->trigger();
    else if (key.key() == Qt::Key_Left)
        lesson_back_->trigger();
    else
        return false;
    return true;
}

bool Presenter::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const bool is_override = event->type() == QEvent::ShortcutOverride;
    const auto is_in = [&](const QWidget* window) {
        return widget ? widget->window() == window : watched == window->windowHandle();
    };
    const auto* key = static_cast<const QKeyEvent*>(event);
    const bool is_plain = !(key->modifiers() & ~Qt::KeypadModifier) && !QApplication::activePopupWidget();
    if (is_plain && !is_override && widget && is_in(this) && step_by(*key, *widget)) {
        event->accept();
        return true;
    }
    if (is_plain && key->key() == Qt::Key_Escape && foremost() && (is_in(this) || is_in(parentWidget()))) {
        event->accept();
        if (!is_override)
            foremost()->setChecked(false);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void Presenter::show_place() {
    offer_over_picture(player_.is_open());
    if (!player_.is_open()) {
        end();
        hide();
        return;
    }
    if (pen_strokes_)
        pen_strokes_->wipe();
    const Lesson& lesson = player_.lesson();
    const std::size_t step = player_.step();
    place_->setText(tr("Step %1 of %2: %3")
                        .arg(step + 1)
                        .arg(lesson.steps.size())
                        .arg(QString::fromStdString(lesson.steps[step].title)));
    show_coming();
}

void Presenter::show_coming() {
    if (!player_.is_open())
        return;
    const Lesson& lesson = player_.lesson();
    const LessonStep& here = lesson.steps[player_.step()];
    back_->setEnabled(!player_.is_first() || player_.page() > 0 || player_.is_answer_next());
    on_->setEnabled(!player_.is_ended());
    if (player_.page() + 1 < player_.pages())
        next_->setText(
            tr("Next: the class reads on, page %1 of %2").arg(player_.page() + 2).arg(player_.pages()));
    else if (player_.is_ended())
        next_->setText(tr("This is the end of the lesson."));
    else if (player_.open_question())
        next_->setText(player_.is_answer_next() ? tr("Next: the answer") : tr("Next, twice: the answer"));
    else if (player_.state() + 1 < here.states.size())
        next_->setText(tr("Next: the step goes on"));
    else if (player_.is_last())
        next_->setText(tr("Next: the end of the lesson, and what was right"));
    else
        next_->setText(tr("Next: %1").arg(QString::fromStdString(lesson.steps[player_.step() + 1].title)));
}

void Presenter::show_words() {
    if (!player_.is_open())
        return;
    const auto& question = player_.lesson().steps[player_.step()].question;
    asked_->setVisible(question.has_value());
    if (question) {
        QStringList lines{QString::fromStdString(question->ask)};
        if (!question->options.empty())
            lines += numbered_options(*question).join(QStringLiteral("   "));
        if (!player_.answer_words().isEmpty())
            lines += tr("Answer: %1").arg(player_.answer_words());
        asked_->setText(lines.join(u'\n'));
    }
    QStringList parts{player_.notes(), tr("*The class reads:*"), player_.text(), player_.problem()};
    parts.removeAll(QString());
    notes_->setMarkdown(parts.join(QStringLiteral("\n\n")));
    lower_subscripts(*notes_->document());
}

void Presenter::show_time() {
    clock_->setText(tr("%1 of %2 min, %3")
                        .arg(minutes_text(elapsed_.elapsed()))
                        .arg(player_.is_open() ? player_.lesson().minutes : 0)
                        .arg(QTime::currentTime().toString(QStringLiteral("HH:mm"))));
}

void Presenter::end() {
    second_.stop();
    elapsed_.invalidate();
    for (QAction* action : {black_, ring_, pen_})
        action->setChecked(false);
    emit presenting_changed(false);
}

void Presenter::offer_over_picture(bool offered) {
    if (std::exchange(is_over_picture_offered_, offered) == offered)
        return;
    for (QAction* action : {black_, ring_, pen_, shown_}) {
        action->setChecked(false);
        action->setEnabled(offered);
    }
    if (offered)
        qApp->installEventFilter(this);
    else
        qApp->removeEventFilter(this);
}

void Presenter::closeEvent(QCloseEvent* event) {
    end();
    QWidget::closeEvent(event);
}

}  // namespace headlight
