#pragma once

#include "core/workbench/depth.h"
#include "core/workbench/run_session.h"
#include "ui/views/frame_ticks.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace headlight {

class Document;

/// Leads from stop to stop, each a place that Back and Forward know, and through all depths between them. The
/// document is always at the stop that is nearest, so that what is at rest is a real view; how far one is
/// from it is no part of the session. It remembers the views that one came in through, until one goes
/// elsewhere.
class WayIn : public QObject {
    Q_OBJECT
public:
    /// That of the document; made on first use and owned by it.
    static WayIn& of(Document& document);

    /// The stops that there are for what is selected, the farthest first; none before the first run, and in
    /// views that are no stop. The same until there is another run or another view.
    const std::vector<DepthStop>& stops() const;
    /// The one that the document is at.
    std::optional<DepthStop> stop() const;
    /// The level of F6 that is read beside the stop's picture; nothing where there is none, or the stop is
    /// one.
    std::optional<Level> page() const;
    /// Where one is among stops(); the farthest where there are none.
    Depth depth() const;
    /// Two pictures are to be seen: one is at no stop, motion is not reduced, no question of a lesson is
    /// open.
    bool is_between() const;
    /// On the way to a stop, by itself.
    bool is_moving() const { return ticks_.are_running(); }

    /// One stop; the view is there at once, the picture follows. False where there is no nearer stop, or none
    /// farther.
    bool go_in();
    bool go_out();
    /// To the stop that go_in() left; false where one did not come in from anywhere.
    bool come_back();
    /// Through all stops on the way; does nothing where there is no such stop.
    void go_to(DepthStop stop);

    /// A stop for every four steps of a wheel, whose angle is in eighths of a degree, and for every doubling
    /// of two fingers' distance. What is reached stays for a moment, then it is the nearest stop.
    void turn_wheel(int angle);
    void spread(double factor);
    /// To a place from 0 to the last stop, for as long as somebody holds it there.
    void hold(double place);
    /// To the nearest stop.
    void settle();
    /// The same at once.
    void arrive();

    /// So much time has gone by on the way to a stop; its ticks say so.
    void advance(double milliseconds);
    /// How long a wheel may rest between two stops.
    void set_rest(std::chrono::milliseconds rest) { rest_.setInterval(rest); }

signals:
    /// The document is about to look at another stop; what is shown is still that of this one.
    void leaving();
    /// depth() or stops() may be others.
    void moved();

private:
    explicit WayIn(Document& document);

    /// The number of stop() among stops().
    std::optional<Index> here() const;
    /// To that one of stops(), from where the way goes on: `offset` stops away.
    void lead_to(Index stop, double offset);
    void turn(double stops);
    std::vector<DepthStop> found_stops() const;

    Document& document_;
    std::vector<ViewKind> through_;  ///< the last is that which one came from
    bool is_going_ = false;
    double offset_ = 0;  ///< how far depth() is from stop(), in stops
    double speed_ = 0;   ///< of the way to it, in stops per millisecond
    FrameTicks ticks_;
    QTimer rest_;
    /// stops(), and what they were found in: a frame on the way between two asks for them many times.
    struct Found {
        std::weak_ptr<const Run> run;
        ViewState view;
        std::vector<DepthStop> stops;
    };
    mutable Found found_;
};

}  // namespace headlight
