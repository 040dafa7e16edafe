#include "ui/panels/run_window.h"

#include "resources/resources.h"
#include "ui/panels/display_check.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/main_window.h"
#include "ui/panels/startup_clock.h"
#include "ui/panels/termination.h"
#include "ui/views/icon.h"

#include <QApplication>
#include <QIcon>

#include <cstdio>
#include <optional>

namespace headlight {

int run_window(int argc, char** argv) {
    QApplication::setApplicationName(QStringLiteral("Headlight"));
    QApplication::setApplicationVersion(QStringLiteral(HEADLIGHT_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.headlight.Headlight"));
    std::optional<DisplayCheck> check(std::in_place);
    const QApplication application(argc, argv);
    check.reset();
    initialise_resources();
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/headlight/icons/headlight.svg")));

    QStringList files = QApplication::arguments().mid(1);
    if (files.size() > 1 && files.constFirst() == QLatin1String("--"))
        files.removeFirst();  // as of the commands: it ends the options
    if (files.size() > 1) {
        std::fprintf(stderr, "headlight: expected one file, got \"%s\" behind it\n",
                     files[1].toUtf8().constData());
        return 2;
    }
    MainWindow window(WindowPlaces::standard());
    window.setAttribute(Qt::WA_QuitOnClose);
    StartupClock clock;
    if (qEnvironmentVariableIsSet("HEADLIGHT_STARTUP_TIMING"))
        clock.report_first_paint(window);
    if (!files.isEmpty())
        window.files().open_path(files.constFirst());
    window.show();
    const Termination termination([&window] {
        if (window.terminate())
            QCoreApplication::exit(0);  // dialogs may still be open
    });
    return QApplication::exec();
}

}  // namespace headlight
