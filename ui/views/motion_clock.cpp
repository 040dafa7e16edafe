#include "ui/views/motion_clock.h"

#include "core/figure/view.h"
#include "ui/models/document.h"
#include "ui/views/cell_place.h"
#include "ui/views/without_thumbnails.h"

#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

constexpr double of_a_reduced_picture = 1200;  // milliseconds, as long as the player's

}  // namespace

bool desktop_reduces_motion() {
    // Qt 6.4 asks no desktop: where KDE and GTK programs read it.
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    const auto is_off = [&](const char* file, const char* key) {
        const QString path = folder + QLatin1Char('/') + QLatin1String(file);
        if (!QFileInfo::exists(path))
            return false;
        const QString said = QSettings(path, QSettings::IniFormat).value(QLatin1String(key)).toString();
        return said == QLatin1String("0") || said == QLatin1String("false");
    };
    return is_off("kdeglobals", "KDE/AnimationDurationFactor") ||
           is_off("gtk-4.0/settings.ini", "Settings/gtk-enable-animations") ||
           is_off("gtk-3.0/settings.ini", "Settings/gtk-enable-animations");
}

MotionClock& MotionClock::of(Document& document) {
    return document.companions().of<MotionClock>([&document] { return new MotionClock(document); });
}

MotionClock::MotionClock(Document& document)
    : QObject(&document), document_(document), is_reduced_(desktop_reduces_motion()) {
    connect(&ticks_, &FrameTicks::passed, this, &MotionClock::advance);
    connect(&document_, &Document::run_changed, this, [this] { set_on(false); });
    connect(&document_, &Document::withheld_changed, this, [this] { set_on(false); });
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (!(before.figure == document_.session().figure))
            forget();
    });
    connect(&document_.looking(), &Looking::view_changed, this, &MotionClock::follow_view);
}

void MotionClock::set_on(bool on) {
    if (on == is_on_ || (on && (document_.asked() || !document_.run())))
        return;
    if (on && !view(document_.view().view).moves)
        document_.looking().look_at(in_view(document_.view(), ViewKind::stages));
    is_on_ = on;
    ticks_.stop();
    set_moment(0);
    forget();
}

void MotionClock::follow_view(const ViewState& before) {
    const ViewState& now = document_.view();
    if (before.view != now.view)
        return set_on(false);
    if (!is_on_ || before.selection == now.selection)
        return;
    const bool is_at_another_word =
        now.view == ViewKind::map && before.selection.query != now.selection.query;
    const Motion shown = motion();
    forget();
    const bool is_same = !is_at_another_word && motion().is_of_step(shown);
    const bool is_between = moment_ > 0 && moment_ < 1;
    if (!is_same)
        stand_at(0);
    else if (is_between && !is_playing() && motion().chosen_moment() != shown.chosen_moment())
        stand_at(motion().chosen_moment());  // what is chosen now is explained
    else
        stand_at(moment_);
}

void MotionClock::forget() {
    motion_.reset();
    now_.reset();
    emit changed();
}

const Motion& MotionClock::motion() const {
    if (!motion_)
        motion_ = is_on_ && document_.run() ? motion_in_view() : Motion();
    return *motion_;
}

Motion MotionClock::motion_in_view() const {
    const std::shared_ptr<const Run> run = document_.run();
    std::shared_ptr<const Figure> still = document_.figure(document_.view().view);
    if (still)  // its panels are those that the canvas has
        still = std::make_shared<const Figure>(without_thumbnails(*still));
    return Motion(std::move(still), *run->trace, shown_selection(*run->trace, document_.view()));
}

std::string MotionClock::why_still() const {
    if (is_on_ || !document_.run() || document_.asked() || !view(document_.view().view).moves)
        return {};
    const std::shared_ptr<const Figure> still = document_.figure(document_.view().view);
    const auto is_long = [](const Panel& panel) { return panel.in_focus && panel.rows > most_moving_rows; };
    if (still && std::ranges::any_of(still->panels, is_long))  // known without a copy of so many numbers
        return "Nothing moves here: more than " + std::to_string(most_moving_rows) +
               " rows are too many to follow with the eye";
    const Motion shown = motion_in_view();
    return shown.is_empty() ? shown.at(0).words : std::string();
}

const MotionMoment& MotionClock::now() const {
    if (!now_)
        now_ = motion().at(moment_);
    return *now_;
}

// Time

void MotionClock::set_moment(double moment) {
    moment_ = moment;
    now_.reset();
}

void MotionClock::stand_at(double moment) {
    const double wanted = std::clamp(moment, 0.0, 1.0);
    set_moment(is_reduced_ && !motion().is_empty() ? motion().nearest_stop(wanted) : wanted);
    waited_ = 0;
    emit moved();
}

void MotionClock::go_to(double moment) {
    if (is_on_)
        stand_at(moment);
}

void MotionClock::forward() { go_to(motion().stop_after(moment_)); }

void MotionClock::back() { go_to(motion().stop_before(moment_)); }

void MotionClock::play() {
    if (!is_on_ || is_playing())
        return;
    if (moment_ >= 1)
        stand_at(0);
    waited_ = 0;
    ticks_.start();
    emit changed();
}

void MotionClock::pause() {
    if (!is_playing())
        return;
    ticks_.stop();
    emit changed();
}

void MotionClock::advance(double milliseconds) {
    if (!is_on_)
        return;
    const double gone = milliseconds * document_.view().speed;
    if (motion().is_empty()) {
        set_moment(1);
    } else if (is_reduced_) {
        waited_ += gone;
        if (waited_ < of_a_reduced_picture)
            return;
        waited_ = 0;
        set_moment(motion().stop_after(moment_));
    } else {
        set_moment(std::min(1.0, moment_ + gone / (1000 * motion().seconds())));
    }
    emit moved();
    if (moment_ >= 1)
        pause();  // what was asked has been shown
}

void MotionClock::set_reduced(bool reduced) {
    if (reduced == is_reduced_)
        return;
    is_reduced_ = reduced;
    if (is_on_)
        stand_at(moment_);
}

}  // namespace headlight
