#pragma once

#include "core/figure/view_settings.h"

#include <QObject>

#include <optional>
#include <vector>

namespace headlight {

class Document;
struct Run;

/// One stop nearer: from the map to the heads of what is in view, where it has several, to one of them large,
/// to the arithmetic of the selected cell of a mechanism. Nothing behind the last one, and in views that are
/// no stop.
std::optional<ViewState> stop_nearer(const Run& run, const ViewState& here);
/// Back through the same stops; nothing before the map.
std::optional<ViewState> stop_farther(const Run& run, const ViewState& here);

/// Leads from stop to stop, each a place that Back and Forward know. It remembers the views that one came in
/// through, until one goes elsewhere.
class WayIn : public QObject {
    Q_OBJECT
public:
    /// That of the document; made on first use and owned by it.
    static WayIn& of(Document& document);

    /// False where there is no nearer stop, or none farther.
    bool go_in();
    bool go_out();
    /// A stop for every two steps of a wheel, whose angle is in eighths of a degree: one step too many at the
    /// end of a zoom leads nowhere.
    void turn_wheel(int angle);
    /// To the stop that go_in() left; false where one did not come in from anywhere.
    bool come_back();

private:
    explicit WayIn(Document& document);

    Document& document_;
    std::vector<ViewKind> through_;  ///< the last is that which one came from
    bool is_going_ = false;
    int wheeled_ = 0;  ///< since the last stop
};

}  // namespace headlight
