// How long a person waits for the tree of mechanisms: from the key to the painted tree, and from the choice
// of a cost, which is counted when it is first asked for, to the filtered tree. Target: 100 ms. Needs a
// display (Xvfb, or QT_QPA_PLATFORM=offscreen).
#include "bench/window_bench.h"
#include "resources/resources.h"
#include "ui/panels/window_columns.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>

#include <cstdio>

using namespace headlight;

namespace {

template <class Action>
void measure(const char* what, const Action& action) {
    QElapsedTimer timer;
    timer.start();
    action();
    QApplication::processEvents();
    std::printf("%-40s %7.2f ms\n", what, double(timer.nsecsElapsed()) / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    initialise_resources();
    MeasuredWindow measured;
    MainWindow& window = measured.window();
    // The panel that the tree belongs to is not what is measured.
    window.findChild<WindowColumns*>()->show_begin(false);
    QApplication::processEvents();
    auto* open = window.findChild<QAction*>(QStringLiteral("choose_mechanism"));
    if (!open) {
        std::fprintf(stderr, "chooser_bench: the action that opens the tree is missing\n");
        return 1;
    }
    measure("the tree, for the first time", [&] { open->trigger(); });
    const auto in_popup = [&](const char* name) {
        for (QWidget* each : QApplication::allWidgets())
            if (each->objectName() == QLatin1String(name))
                return each;
        return static_cast<QWidget*>(nullptr);
    };
    auto* search = qobject_cast<QLineEdit*>(in_popup("mechanism_search"));
    auto* cost = qobject_cast<QComboBox*>(in_popup("filter_cost"));
    if (!search || !cost) {
        std::fprintf(stderr, "chooser_bench: the tree has no search or no filter of costs\n");
        return 1;
    }
    search->window()->close();
    measure("the tree, again", [&] { open->trigger(); });
    measure("a cost, for the first time", [&] { cost->setCurrentIndex(1); });
    measure("another cost", [&] { cost->setCurrentIndex(2); });
    return 0;
}
