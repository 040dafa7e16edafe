#include "ui/panels/run_window.h"

#include "resources/resources.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/main_window.h"
#include "ui/panels/startup_clock.h"
#include "ui/panels/termination.h"
#include "ui/views/icon.h"

#include <QApplication>
#include <QIcon>

namespace headlight {

int run_window(int argc, char** argv) {
    QApplication::setApplicationName(QStringLiteral("Headlight"));
    QApplication::setApplicationVersion(QStringLiteral(HEADLIGHT_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.headlight.Headlight"));
    const QApplication application(argc, argv);
    initialise_resources();
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/headlight/icons/headlight.svg")));

    const QStringList files = QApplication::arguments().mid(1);
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
