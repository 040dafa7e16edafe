#pragma once

#include <QObject>

class QWidget;

namespace headlight {

class MainWindow;

/// Measures what a person waits for: from the start of the process to the picture on the screen. For
/// bench/startup.sh.
class StartupClock : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Prints "first_paint_ms=... resident_mb=..." once the current view has been painted, and ends the
    /// program.
    void report_first_paint(MainWindow& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool painted_ = false;
};

}  // namespace headlight
