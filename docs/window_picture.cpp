// Draws the window as a person would see it, without a display:
// window_picture SESSION.json THEME WIDTHxHEIGHT OUT.png [PATCH]
// With a PATCH, its number from 0, the session is shown on the example picture and that patch looks.
#include "core/figure/theme_table.h"
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

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

using namespace headlight;

namespace {

std::optional<FigureTheme> theme_named(const QString& name) {
    const std::vector<FigureTheme> all = window_themes();
    const auto found = std::ranges::find_if(
        all, [&](FigureTheme theme) { return name == QLatin1String(theme_row(theme).word); });
    return found == all.end() ? std::nullopt : std::optional(*found);
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
    const std::optional<FigureTheme> theme = theme_named(arguments.value(2));
    if (!theme || (arguments.size() != 5 && arguments.size() != 6)) {
        std::fputs("usage: window_picture SESSION.json THEME WIDTHxHEIGHT OUT.png [PATCH]\n", stderr);
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
    session.view.theme = *theme;
    window.document().reset(session);
    settle();
    return window.grab().save(arguments[4]) ? 0 : 1;
}
