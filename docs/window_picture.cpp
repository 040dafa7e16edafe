// Draws the window as a person would see it, without a display:
// window_picture SESSION.json THEME WIDTHxHEIGHT OUT.png [PATCH]
// With a PATCH, its number from 0, the session is shown on the example picture and that patch looks.
#include "core/io/files.h"
#include "core/io/image_session.h"
#include "resources/resources.h"
#include "ui/panels/main_window.h"
#include "ui/render/picture_image.h"

#include <QAbstractButton>
#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTemporaryDir>

#include <cstdio>

using namespace headlight;

namespace {

FigureTheme theme_named(const QString& name) {
    if (name == QLatin1String("dark"))
        return FigureTheme::dark;
    return name == QLatin1String("projector") ? FigureTheme::projector : FigureTheme::light;
}

/// Lets layouts, fonts and the first run settle.
void settle() {
    QElapsedTimer timer;
    for (timer.start(); timer.elapsed() < 500;)
        QApplication::processEvents(QEventLoop::AllEvents, 20);
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 5 && arguments.size() != 6) {
        std::fputs("usage: window_picture SESSION.json light|dark|projector WIDTHxHEIGHT OUT.png [PATCH]\n",
                   stderr);
        return 2;
    }
    initialise_resources();
    const QTemporaryDir folder;
    MainWindow window({folder.filePath(QStringLiteral("settings.ini")), folder.path().toStdString()});
    const QStringList size = arguments[3].split(QLatin1Char('x'));
    window.resize(size.value(0).toInt(), size.value(1).toInt());
    window.show();
    settle();
    window.findChild<QAbstractButton*>(QStringLiteral("begin_close"))->click();
    Session session = parse_session(read_file(arguments[1].toStdString()));
    if (arguments.size() == 6) {
        session = with_image(session, cut(example_picture()), "Example picture");
        session.view.selection.query = session.view.selection.key = arguments[5].toInt();
    }
    session.view.theme = theme_named(arguments[2]);
    window.document().reset(session);
    settle();
    return window.grab().save(arguments[4]) ? 0 : 1;
}
