#pragma once

#include "core/figure/motion.h"
#include "ui/views/frame_ticks.h"

#include <QObject>

#include <optional>
#include <string>

namespace headlight {

class Document;

/// The one clock of motions: which moment of the step to the stage in view is drawn, or in a map of the
/// decoding step, whether it runs, and what moves. Like the pointer's place it is no part of the session:
/// looking is not an edit. It never starts by itself, and stops at the step's end; where another cell of the
/// same step is looked at it keeps its place, or between its ends goes to what is chosen. Another view,
/// another text and an open question end the motion.
class MotionClock : public QObject {
    Q_OBJECT
public:
    /// The clock of the document; made on first use and owned by it.
    static MotionClock& of(Document& document);

    /// A motion is shown: the picture has room for its words, and marks at its moment.
    bool is_on() const { return is_on_; }
    /// At the beginning of the step, in *Stages* where the view's picture cannot move; does nothing where a
    /// question withholds pictures, and before the first run.
    void set_on(bool on);
    /// That of the picture in view; empty where nothing moves.
    const Motion& motion() const;
    /// Why nothing would move if it were switched on, one sentence without its full stop; empty where
    /// something does, and in views from which it leads to *Stages*, whose picture is not made to be asked.
    std::string why_still() const;
    double moment() const { return moment_; }
    /// What is drawn at the moment, until it is another one.
    const MotionMoment& now() const;

    bool is_playing() const { return ticks_.are_running(); }
    /// From the beginning where it stands at the end.
    void play();
    void pause();
    /// Any moment; with reduced motion the nearest at which something is done.
    void go_to(double moment);
    /// To where the next number is done, and back.
    void forward();
    void back();
    /// So much time has gone by; while playing its ticks say so.
    void advance(double milliseconds);

    /// Instead of moving, pictures change from one done number to the next: the desktop's wish unless a
    /// person has said otherwise.
    bool is_reduced() const { return is_reduced_; }
    void set_reduced(bool reduced);

signals:
    /// Another moment is drawn.
    void moved();
    /// It was switched on or off, another step is shown, or it began or ceased to run on.
    void changed();

private:
    explicit MotionClock(Document& document);

    Motion motion_in_view() const;
    void follow_view(const ViewState& before);
    void forget();
    void stand_at(double moment);
    void set_moment(double moment);

    Document& document_;
    bool is_on_ = false, is_reduced_;
    double moment_ = 0;
    double waited_ = 0;  ///< in milliseconds, since reduced motion showed another picture
    FrameTicks ticks_;
    // Made when first needed after forget(), what is drawn also after set_moment().
    mutable std::optional<Motion> motion_;
    mutable std::optional<MotionMoment> now_;
};

/// Whether the desktop asks programs not to move things by themselves.
bool desktop_reduces_motion();

}  // namespace headlight
