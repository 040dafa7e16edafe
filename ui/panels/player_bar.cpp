#include "ui/panels/player_bar.h"

#include "core/catalog/mechanism.h"
#include "core/figure/build_figure.h"
#include "core/figure/view.h"
#include "ui/actions/actions.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/document.h"
#include "ui/panels/player_keys.h"
#include "ui/views/cell_place.h"
#include "ui/views/describe.h"
#include "ui/views/elided_label.h"
#include "ui/views/lazy_combo.h"
#include "ui/views/line_icon_button.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headlight {
namespace {

struct Speed {
    const char* label;
    double factor;
};
constexpr Speed speeds[] = {{"½×", 0.5}, {"1×", 1}, {"2×", 2}, {"4×", 4}};

/// A file may hold any: the choice that comes nearest.
int nearest_speed(double factor) {
    const auto far = [factor](const Speed& speed) { return std::abs(std::log(speed.factor / factor)); };
    return static_cast<int>(std::ranges::min_element(speeds, {}, far) - std::begin(speeds));
}

/// The words of a place: as much room as most of them need, so that the slider beside them stays as it is,
/// and less where there is little.
class PlaceLabel : public ElidedLabel {
public:
    QSize sizeHint() const override { return ElidedLabel::sizeHint().expandedTo({letters(30), 0}); }
    QSize minimumSizeHint() const override { return {letters(9), ElidedLabel::minimumSizeHint().height()}; }

private:
    int letters(int count) const { return fontMetrics().averageCharWidth() * count; }
};

}  // namespace

PlayerBar::PlayerBar(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(4);
    first_ =
        add_button(QStringLiteral("first"), tr("First"), tr("Go to the start (Home)"), &PlayerBar::first);
    back_ = add_button(QStringLiteral("back"), tr("Back"), tr("One step back (Left)"), &PlayerBar::back);
    play_ = add_button(QStringLiteral("play"), tr("Play"), tr("Play or pause (Space)"),
                       &PlayerBar::toggle_playing);
    forward_ = add_button(QStringLiteral("forward"), tr("Forward"), tr("One step forward (Right)"),
                          &PlayerBar::forward);
    last_ = add_button(QStringLiteral("last"), tr("Last"), tr("Go to the end (End)"), &PlayerBar::last);

    scrubber_ = new QSlider(Qt::Horizontal);
    scrubber_->setTickPosition(QSlider::TicksBelow);
    scrubber_->setTickInterval(1);
    scrubber_->setPageStep(1);
    describe(scrubber_, QStringLiteral("player-scrubber"), tr("Position"), tr("Drag to any position"));
    scrubber_->setMinimumWidth(80);  // what a hand can aim on
    layout->addWidget(scrubber_, 1);

    auto* modes = new LazyCombo;
    modes->fit_chosen();  // the words of the place need the room more
    modes_ = modes;
    modes_->addItem(tr("By stage"), int(PlayMode::stage));
    modes_->addItem(tr("By decoding step"), int(PlayMode::step));
    modes_->addItem(tr("By head"), int(PlayMode::head));
    describe(modes_, QStringLiteral("player-mode"), tr("What the player walks through"),
             tr("Walk through the stages of the formula, the rows as they are decoded, or the heads"));
    layout->addWidget(modes_);

    speeds_ = new LazyCombo;
    for (const Speed& speed : speeds)
        speeds_->addItem(QString::fromUtf8(speed.label));
    describe(speeds_, QStringLiteral("player-speed"), tr("Speed"), tr("How fast playing goes on"));
    layout->addWidget(speeds_);

    label_ = new PlaceLabel;  // the strip of stages has the whole name
    label_->setObjectName(QStringLiteral("player-label"));
    layout->addWidget(label_);

    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    elapsed_.start();
    connect(&timer_, &QTimer::timeout, this, &PlayerBar::advance);
    connect(scrubber_, &QSlider::valueChanged, this, &PlayerBar::go_to);
    connect(modes_, &QComboBox::activated, this,
            [this](int index) { set_mode(static_cast<PlayMode>(modes_->itemData(index).toInt())); });
    connect(speeds_, &QComboBox::activated, this, &PlayerBar::set_speed);
    connect(&document_, &Document::run_changed, this, &PlayerBar::refresh);
    connect(&document_, &Document::session_changed, this, &PlayerBar::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &PlayerBar::refresh);
    keys_ = new PlayerKeys(*this);
    update_icons();
    keep_height();
    refresh();
}

LineIconButton* PlayerBar::add_button(const QString& icon, const QString& name, const QString& tip,
                                      void (PlayerBar::*slot)()) {
    auto* button = new LineIconButton(icon);
    button->setText(name);
    describe(button, QStringLiteral("player-") + icon, name, tip);
    connect(button, &QToolButton::clicked, this, slot);
    layout()->addWidget(button);
    return button;
}

QWidget* PlayerBar::place() const { return label_; }

void PlayerBar::add_action(QAction& action) {
    auto* button = new QToolButton;
    button->setDefaultAction(&action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    describe(button, QStringLiteral("player-") + action.objectName(), action.iconText(), action.toolTip());
    added_.push_back(button);
    update_icons();
    auto* line = static_cast<QHBoxLayout*>(layout());
    line->insertWidget(line->indexOf(last_) + 1, button);
}

void PlayerBar::bind(Actions& actions) {
    const auto bind = [this, &actions](const char* id, auto work) {
        actions.bind(QLatin1String(id), this, work);
    };
    bind("play_toggle", &PlayerBar::toggle_playing);
    bind("play_forward", &PlayerBar::forward);
    bind("play_back", &PlayerBar::back);
    bind("play_first", &PlayerBar::first);
    bind("play_last", &PlayerBar::last);
    bind("head_next", [this] { move_by_heads(1); });
    bind("head_previous", [this] { move_by_heads(-1); });
    bind("play_stages", [this] { set_mode(PlayMode::stage); });
    bind("play_steps", [this] { set_mode(PlayMode::step); });
    bind("play_heads", [this] { set_mode(PlayMode::head); });
}

void PlayerBar::update_icons() {
    play_->show_icon(is_playing() ? QStringLiteral("pause") : QStringLiteral("play"));
    play_->setText(is_playing() ? tr("Pause") : tr("Play"));
    play_->setAccessibleName(play_->text());
    for (QToolButton* button : added_)
        button->setIconSize(play_->iconSize());
}

void PlayerBar::keep_height() { setMinimumHeight(2 * fontMetrics().lineSpacing() + 4); }

// Where it stands

bool PlayerBar::rows_are_read_at_once() const {
    const std::shared_ptr<const Run> run = document_.run();
    const SiteRecord* site =
        run && run->transcript ? run->transcript->find(document_.view().selection.site) : nullptr;
    return site && site->site.in_encoder;
}

bool PlayerBar::rows_are_steps() const {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || run->transcript)
        return !rows_are_read_at_once();
    if (!run->plan)
        return false;
    if (run->plan->spec.source.type == SourceType::cross)
        return !run->session->sequence.image;
    const Mechanism* shown = run->session->custom ? nullptr : find_mechanism(run->session->mechanism);
    if (shown && shown->properties.causal)
        return true;
    const std::span<const Index> ends = run->plan->allowed.ends();
    for (std::size_t row = 0; row < ends.size(); ++row)
        if (ends[row] > static_cast<Index>(row) + 1)
            return false;
    return true;
}

PlayTrack PlayerBar::track() const {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return {};
    ViewState view = document_.view();
    // The stage that the picture has where it cannot have the selected one.
    view.selection.stage = shown_selection(*run->trace, view).stage;
    const PlayMode walked = mode() == PlayMode::step && rows_are_read_at_once() ? PlayMode::row : mode();
    return play_track(walked, *run->trace, visible_stages(*run->trace, view.selection.site), view);
}

QString PlayerBar::position_text(const PlayTrack& track) const {
    if (track.length == 0)
        return tr("Nothing to play");
    const auto at = static_cast<std::size_t>(track.position);
    const QString name = at < track.names.size() ? QString::fromStdString(track.names[at]) : QString();
    switch (track.mode) {
    case PlayMode::stage:
        return tr("stage %1 of %2: %3")
            .arg(track.position + 1)
            .arg(track.length)
            .arg(QString::fromStdString(
                stage_title(*document_.run()->trace, name.toStdString(), document_.view().selection.site)));
    case PlayMode::step: {
        const ViewState& shown = document_.view();
        const auto chosen = static_cast<std::size_t>(shown.selection.query);
        const bool is_earlier = shown.selection.query < track.position && chosen < track.names.size();
        const QString place = (rows_are_steps() ? tr("step %1 of %2") : tr("row %1 of %2"))
                                  .arg(track.position + 1)
                                  .arg(track.length);
        const QString here = name.isEmpty() ? place : QStringLiteral("%1: %2").arg(place, name);
        // Among the rows that have arrived, an earlier one may be looked at.
        return is_earlier ? tr("%1 (chosen: %2)").arg(here, QString::fromStdString(track.names[chosen]))
                          : here;
    }
    case PlayMode::row:
        return tr("token %1 of %2: %3").arg(track.position + 1).arg(track.length).arg(name);
    case PlayMode::head:
        break;
    }
    return tr("head %1 of %2").arg(track.position + 1).arg(track.length);
}

void PlayerBar::refresh() {
    const PlayTrack now = track();
    const QSignalBlocker quiet(scrubber_);
    scrubber_->setRange(0, std::max(static_cast<int>(now.length) - 1, 0));
    scrubber_->setValue(static_cast<int>(now.position));
    const QString text = position_text(now);
    scrubber_->setAccessibleDescription(text);
    label_->setText(text);
    label_->setToolTip(text);
    const QString step = rows_are_read_at_once() ? tr("By token")
                         : rows_are_steps()      ? tr("By decoding step")
                                                 : tr("By row");
    if (const int row = modes_->findData(int(PlayMode::step)); modes_->itemText(row) != step) {
        modes_->setItemText(row, step);
        modes_->updateGeometry();
    }
    modes_->setCurrentIndex(modes_->findData(int(mode())));
    speeds_->setCurrentIndex(nearest_speed(document_.view().speed));
    if (speed_ != document_.view().speed)
        apply_speed();
    const bool can_move = now.length > 1;
    scrubber_->setEnabled(can_move);
    play_->setEnabled(can_move);
    first_->setEnabled(can_move && !now.at_start());
    back_->setEnabled(can_move && !now.at_start());
    forward_->setEnabled(can_move && !now.at_end());
    last_->setEnabled(can_move && !now.at_end());
}

PlayMode PlayerBar::natural() const {
    const std::shared_ptr<const Run> run = document_.run();
    const ViewState& view = document_.view();
    return natural_mode(view.view, run ? head_count(*run->trace, view.selection.site) : 1,
                        document_.session().model.has_value());
}

PlayMode PlayerBar::mode() const { return document_.view().player.value_or(natural()); }

void PlayerBar::set_mode(PlayMode mode) {
    ViewState chosen = document_.view();
    chosen.player = mode == natural() ? std::nullopt : std::optional(mode);
    document_.looking().look_at(chosen);
    // Shows what the mode walks through, where it stands.
    go_to(static_cast<int>(track().position));
}

// Walking

void PlayerBar::go_to(int position) {
    document_.looking().look_at(view_at(track(), position, document_.view()), ViewHistory::Move::walk);
}

void PlayerBar::first() { go_to(0); }

void PlayerBar::back() { go_to(static_cast<int>(track().position) - 1); }

void PlayerBar::forward() { go_to(static_cast<int>(track().position) + 1); }

void PlayerBar::last() { go_to(static_cast<int>(track().length) - 1); }

// Playing

std::chrono::milliseconds PlayerBar::now() const { return std::chrono::milliseconds(elapsed_.elapsed()); }

void PlayerBar::set_interval(std::chrono::milliseconds interval) {
    interval_ = interval;
    apply_speed();
}

void PlayerBar::set_speed(int index) {
    ViewState chosen = document_.view();
    chosen.speed = speeds[index].factor;
    document_.looking().look_at(chosen);
}

void PlayerBar::apply_speed() {
    speed_ = document_.view().speed;
    clock_.set_interval(
        std::chrono::milliseconds(static_cast<long>(static_cast<double>(interval_.count()) / speed_)), now());
    if (is_playing())
        wait_for_tick();
}

void PlayerBar::toggle_playing() {
    if (is_playing())
        pause();
    else
        play();
}

void PlayerBar::play() {
    const PlayTrack from = track();
    if (is_playing() || from.length < 2)
        return;
    if (from.at_end())
        first();
    clock_.start(now());
    wait_for_tick();
    update_icons();
    emit playing_changed(true);
}

void PlayerBar::pause() {
    if (!is_playing())
        return;
    timer_.stop();
    update_icons();
    emit playing_changed(false);
}

void PlayerBar::wait_for_tick() { timer_.start(clock_.wait(now())); }

void PlayerBar::advance() {
    clock_.tick(now());
    // Waiting for the next tick before moving keeps is_playing() true while the views follow.
    wait_for_tick();
    forward();
    if (track().at_end())
        pause();
}

// Heads

bool PlayerBar::choose_head(Index head) {
    const std::shared_ptr<const Run> run = document_.run();
    Selection selection = document_.view().selection;
    if (!run || head < 0 || head >= head_count(*run->trace, selection.site))
        return false;
    selection.head = head;
    document_.looking().select(selection, ViewHistory::Move::walk);
    return true;
}

void PlayerBar::move_by_heads(Index by) { choose_head(document_.view().selection.head + by); }

void PlayerBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update_icons();
    if (event->type() == QEvent::FontChange)
        keep_height();
    QWidget::changeEvent(event);
}

}  // namespace headlight
