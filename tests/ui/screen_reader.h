#pragma once

#include "ui/views/canvas_accessibility.h"

#include <QAccessible>
#include <QList>
#include <QString>

#include <algorithm>

namespace headlight {

/// What the bridge of Linux (AT-SPI) gets where somebody listens. In tests nobody does, and so it listens in
/// its place, for as long as it lives.
class ScreenReader {
public:
    struct Heard {
        QAccessible::Event type;
        QString name;  ///< of what the event is about
    };

    ScreenReader() {
        heard_.clear();
        tell_instead(hear);
    }
    ScreenReader(const ScreenReader&) = delete;
    ScreenReader& operator=(const ScreenReader&) = delete;
    ~ScreenReader() { tell_instead(QAccessible::updateAccessibility); }

    void forget() { heard_.clear(); }
    const QList<Heard>& heard() const { return heard_; }
    bool has_heard(QAccessible::Event type) const {
        return std::ranges::any_of(heard_, [type](const Heard& each) { return each.type == type; });
    }
    /// The name that the last event of a kind was about; empty where there was none.
    QString last(QAccessible::Event type) const {
        QString name;
        for (const Heard& each : heard_)
            name = each.type == type ? each.name : name;
        return name;
    }

private:
    static void hear(QAccessibleEvent* event) {
        QAccessibleInterface* about = event->accessibleInterface();
        heard_ += {event->type(), about && about->isValid() ? about->text(QAccessible::Name) : QString()};
    }
    static inline QList<Heard> heard_;
};

inline QAccessibleInterface* voice_of(QObject* object) {
    return QAccessible::queryAccessibleInterface(object);
}

}  // namespace headlight
