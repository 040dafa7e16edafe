#include "ui/panels/motion_bar.h"

#include "core/figure/view.h"
#include "ui/actions/actions.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/document.h"
#include "ui/models/run_figure.h"
#include "ui/models/window_settings.h"
#include "ui/panels/film_options_dialog.h"
#include "ui/panels/player_bar.h"
#include "ui/render/fixed_text.h"
#include "ui/render/motion_film.h"
#include "ui/views/cell_place.h"
#include "ui/views/describe.h"
#include "ui/views/icon.h"
#include "ui/views/line_icon_button.h"
#include "ui/views/motion_clock.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <cmath>
#include <initializer_list>

namespace headlight {

namespace {

constexpr int slider_end = 1000;
constexpr auto reduced_key = "motion/reduced";

/// The film of what a person looks at, on paper.
FilmStrip film_of_view(const Run& run, const Session& session) {
    const auto still = build_exported_figure(run, session, session.view.view, FigureTheme::paper);
    return motion_film(still, Motion(still, *run.trace, shown_selection(*run.trace, session.view)));
}

QString gives_up() { return MotionBar::tr("Gives it up; nothing is written"); }

/// "1.2 of 6.0 s"; nothing of a motion that takes no time.
QString time_words(double now, double seconds) {
    return seconds == 0 ? QString()
                        : MotionBar::tr("%1 of %2 s").arg(fixed_text(now, 1), fixed_text(seconds, 1));
}

}  // namespace

MotionBar::MotionBar(Document& document, PlayerBar& player, WindowSettings& settings, Actions& actions,
                     QWidget* parent)
    : QWidget(parent), document_(document), player_(player), settings_(settings), actions_(actions),
      clock_(MotionClock::of(document)), action_(&actions.at(QStringLiteral("play_motion"))),
      reduced_(&actions.at(QStringLiteral("reduce_motion"))),
      export_action_(&actions.at(QStringLiteral("export_motion"))) {
    action_->setCheckable(true);
    reduced_->setCheckable(true);
    build();
    follow_keys(*this, [this] { offer(); });
    action_->setIcon(line_icon(QStringLiteral("motion"), palette()));
    player.add_action(*action_);
    connect(action_, &QAction::triggered, this, [this](bool on) {
        const ViewKind before = document_.view().view;
        clock_.set_on(on);
        if (clock_.is_on()) {
            say_what_is_shown(before);
            play();
            play_->setFocus(Qt::ShortcutFocusReason);  // a text would keep Space and Esc
        }
        show_clock();  // where it could not be switched on, too
    });
    connect(reduced_, &QAction::triggered, this, [this](bool reduced) {
        clock_.set_reduced(reduced);
        settings_.set_value(QLatin1String(reduced_key), reduced);
    });
    connect(export_action_, &QAction::triggered, this, &MotionBar::ask_export);
    clock_.set_reduced(settings_.value(QLatin1String(reduced_key), clock_.is_reduced()).toBool());
    reduced_->setChecked(clock_.is_reduced());
    // The player shows pictures as they are, one after another.
    connect(&player, &PlayerBar::playing_changed, this, [this](bool is_playing) {
        if (is_playing)
            clock_.set_on(false);
    });
    connect(&clock_, &MotionClock::moved, this, &MotionBar::show_moment);
    connect(&clock_, &MotionClock::changed, this, &MotionBar::show_clock);
    connect(&document_, &Document::run_changed, this, &MotionBar::offer);
    connect(&document_, &Document::withheld_changed, this, &MotionBar::offer);
    connect(&document_.looking(), &Looking::view_changed, this, &MotionBar::offer);
    update_icons();
    show_clock();
}

MotionBar::~MotionBar() { exporting_.cancel(); }

void MotionBar::build() {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(4);
    back_ = add_button(QStringLiteral("back"), tr("The number before"),
                       tr("To where the last number was done (Left)"));
    play_ = add_button(QStringLiteral("play"), tr("Play the motion"), tr("Play or pause the motion (Space)"));
    forward_ = add_button(QStringLiteral("forward"), tr("The next number"),
                          tr("To where the next number is done (Right)"));
    connect(back_, &QToolButton::clicked, this, [this] {
        stop();
        clock_.back();
    });
    connect(play_, &QToolButton::clicked, this, &MotionBar::toggle_playing);
    connect(forward_, &QToolButton::clicked, this, [this] {
        stop();
        clock_.forward();
    });
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setRange(0, slider_end);
    slider_->setPageStep(slider_end / 10);
    slider_->setMinimumWidth(80);
    describe(slider_, QStringLiteral("motion-slider"), tr("Moment"), tr("Drag to any moment of the motion"));
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        stop();
        clock_.go_to(static_cast<double>(value) / slider_end);
    });
    layout->addWidget(slider_, 1);
    time_ = new QLabel;
    time_->setObjectName(QStringLiteral("motion-time"));
    layout->addWidget(time_);
    export_ = new QPushButton;
    export_->setAutoDefault(false);
    connect(export_, &QPushButton::clicked, export_action_, &QAction::trigger);
    layout->addWidget(export_);
    auto* close = add_button({}, tr("End the motion"), tr("Shows the picture as it was (Esc)"));
    close->setText(QStringLiteral("✕"));
    close->setObjectName(QStringLiteral("motion-close"));
    connect(close, &QToolButton::clicked, this, [this] { clock_.set_on(false); });
    show_export(-1);
}

LineIconButton* MotionBar::add_button(const QString& icon, const QString& name, const QString& tip) {
    auto* button = new LineIconButton(icon);
    button->setText(name);
    describe(button, QStringLiteral("motion-") + icon, name, tip);
    layout()->addWidget(button);
    return button;
}

// Keys

bool MotionBar::take_step(const QKeyEvent& key) {
    if (!clock_.is_on() || clock_.motion().is_empty())
        return false;
    const bool is_back = key.key() == Qt::Key_Left;
    // At its ends the player goes to the stage before, or the next one.
    if ((!is_back && key.key() != Qt::Key_Right) || clock_.moment() == (is_back ? 0 : 1))
        return false;
    (is_back ? back_ : forward_)->click();
    return true;
}

bool MotionBar::take_unused(const QKeyEvent& key) {
    if (!clock_.is_on())
        return false;
    switch (key.key()) {
    case Qt::Key_Space:
        toggle_playing();
        return true;
    case Qt::Key_Home:
        stop();
        clock_.go_to(0);
        return true;
    case Qt::Key_End:
        stop();
        clock_.go_to(1);
        return true;
    case Qt::Key_Escape:
        clock_.set_on(false);
        return true;
    default:
        return false;
    }
}

// Playing

void MotionBar::stop() {
    clock_.pause();
    update_icons();
}

void MotionBar::toggle_playing() {
    if (clock_.is_playing())
        stop();
    else
        play();
}

void MotionBar::play() {
    player_.pause();
    clock_.play();
}

bool MotionBar::moves() const { return clock_.is_on() && !clock_.motion().is_empty(); }

QString MotionBar::why_still() const {
    const QString still = QString::fromStdString(clock_.why_still());
    if (still.isEmpty())
        return {};
    return (document_.view().view == ViewKind::map ? tr("%1. In Stages its numbers come about one by one")
                                                   : tr("%1. Choose another stage to see how it comes about"))
        .arg(still);
}

void MotionBar::offer() {
    const View& shown = view(document_.view().view);
    still_ = why_still();
    action_->setEnabled(still_.isEmpty());
    QString tip = actions_.effect(action_->objectName());
    if (!shown.moves)
        tip = tr("%1. %2 stands still: this leads to Stages").arg(tip, QString::fromStdString(shown.title));
    action_->setToolTip(still_.isEmpty() ? with_key(tip, action_->objectName()) : still_);
    offer_export();
}

void MotionBar::offer_export() {
    const bool is_writing = written_ >= 0;
    export_->setEnabled(is_writing || moves());
    const QString id = export_action_->objectName();
    if (is_writing) {
        export_action_->setEnabled(true);
        export_action_->setText(tr("Cancel the &export of the film"));
        export_action_->setToolTip(gives_up());
        return;
    }
    // A motion that is shown may have come to a stage in which nothing moves.
    const QString still = !clock_.is_on() || moves() ? still_ : QString::fromStdString(clock_.now().words);
    export_action_->setEnabled(still.isEmpty());
    export_action_->setText(action_words(action_row(id)->text));
    export_action_->setToolTip(still.isEmpty() ? actions_.effect(id) : still);
}

void MotionBar::say_what_is_shown(ViewKind before) {
    if (document_.view().view != before)
        emit notice(tr("Stages is shown, where numbers move: %1 stands still. Back leads there again.")
                        .arg(QString::fromStdString(view(before).title)));
}

void MotionBar::show_clock() {
    offer();
    const bool is_on = clock_.is_on();
    if (!is_on && isAncestorOf(QApplication::focusWidget()))
        emit picture_wanted();
    setVisible(is_on);
    action_->setChecked(is_on);
    for (QWidget* control :
         {static_cast<QWidget*>(back_), static_cast<QWidget*>(forward_), static_cast<QWidget*>(slider_)})
        control->setEnabled(moves());
    update_icons();
    if (!is_on)
        return;
    fit_time();
    show_moment();
}

void MotionBar::fit_time() {
    // It keeps one size as long as the time runs: else the window would be laid out anew ten times a second.
    const double seconds = clock_.motion().seconds();
    const QFontMetrics metrics = time_->fontMetrics();
    time_->setFixedSize(metrics.horizontalAdvance(time_words(seconds, seconds)) + metrics.averageCharWidth(),
                        metrics.height());
}

void MotionBar::show_moment() {
    if (!clock_.is_on())
        return;
    const QSignalBlocker quiet(slider_);
    slider_->setValue(static_cast<int>(std::lround(slider_end * clock_.moment())));
    const double seconds = clock_.motion().seconds();
    time_->setText(time_words(clock_.moment() * seconds, seconds));
    // While it runs a screen reader would never come to the end of a sentence. It reads what is new of the
    // control that has the keys, whichever of them that is.
    if (clock_.is_playing())
        return;
    const QString words = QString::fromStdString(clock_.now().words);
    for (QWidget* control : std::initializer_list<QWidget*>{back_, play_, forward_, slider_})
        control->setAccessibleDescription(words);
}

void MotionBar::update_icons() {
    play_->setText(clock_.is_playing() ? tr("Pause the motion") : tr("Play the motion"));
    play_->setAccessibleName(play_->text());
    play_->show_icon(clock_.is_playing() ? QStringLiteral("pause") : QStringLiteral("play"));
}

void MotionBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        action_->setIcon(line_icon(QStringLiteral("motion"), palette()));
    if (event->type() == QEvent::FontChange && time_ && clock_.is_on())
        fit_time();  // for a projector it is larger
    QWidget::changeEvent(event);
}

// Film

void MotionBar::ask_export() {
    if (written_ >= 0) {
        exporting_.cancel();
        return show_export(-1);
    }
    if (!clock_.is_on()) {
        const ViewKind before = document_.view().view;
        clock_.set_on(true);
        say_what_is_shown(before);
    }
    if (!moves())
        return;
    stop();
    if (const auto path = ask_film_file(options_, FilmOptionsDialog::Of::motion, this))
        export_to(*path);
}

void MotionBar::export_to(const QString& path) {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return;
    show_export(0);
    const auto write = [this, path, run, session = document_.snapshot(),
                        options = options_](const Cancellation& cancellation) -> Job::Delivery {
        const FilmStrip strip = film_of_view(*run, *session);
        FilmOptions asked = options;
        if (!asked.seconds)
            asked.seconds = static_cast<double>(strip.count) / usual_motion_rate;
        const auto goes_on = [&](double share) {
            exporting_.deliver_part(cancellation, [this, share] { show_export(share); });
            return !cancellation.requested();
        };
        const std::filesystem::path written = export_film(strip, path.toStdString(), goes_on, asked);
        return [this, written] {
            show_export(-1);
            if (!written.empty())
                emit notice(tr("Exported %1.").arg(QString::fromStdString(written.filename().string())));
        };
    };
    exporting_.start("export the motion", write, [this](const Error& error) {
        show_export(-1);
        emit problem(error);
    });
}

void MotionBar::show_export(double share) {
    written_ = share;
    const bool is_writing = share >= 0;
    export_->setText(is_writing ? tr("Cancel export (%1 %)").arg(static_cast<int>(100 * share))
                                : tr("Export the film…"));
    describe(export_, QStringLiteral("motion-export"), tr("Export the motion as a film"),
             is_writing ? gives_up() : tr("As an animated GIF or WebP, or as numbered PNG pictures"));
    offer_export();
}

}  // namespace headlight
