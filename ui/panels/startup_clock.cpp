#include "ui/panels/startup_clock.h"

#include "ui/panels/main_window.h"
#include "ui/panels/view_tabs.h"

#include <QApplication>
#include <QEvent>
#include <QTimer>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace headlight {
namespace {

double seconds_since_boot() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

/// Field 22 of /proc/self/stat, in clock ticks since boot (proc(5)); 10 ms fine.
double process_start_since_boot() {
    std::ifstream file("/proc/self/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string skipped;
    for (int field = 3; field < 22; ++field)
        fields >> skipped;
    double ticks = 0;
    fields >> ticks;
    return ticks / double(sysconf(_SC_CLK_TCK));
}

double resident_megabytes() {
    std::ifstream file("/proc/self/statm");
    double size = 0, resident = 0;
    file >> size >> resident;
    return resident * double(sysconf(_SC_PAGESIZE)) / 1048576;
}

}  // namespace

void StartupClock::report_first_paint(MainWindow& window) {
    window.views().picture()->installEventFilter(this);
}

bool StartupClock::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Paint && !painted_) {
        painted_ = true;
        // After the rest of this frame has been painted and sent to the screen.
        QTimer::singleShot(0, this, [] {
            std::printf("first_paint_ms=%.0f resident_mb=%.1f\n",
                        1000 * (seconds_since_boot() - process_start_since_boot()), resident_megabytes());
            std::fflush(stdout);
            QApplication::quit();
        });
    }
    return false;
}

}  // namespace headlight
