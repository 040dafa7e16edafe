#include "ui/panels/display_check.h"

#include <QString>
#include <QtGlobal>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace headlight {
namespace {

struct Message {
    QtMsgType type;
    QString text;
};
/// What Qt said; it is of no use where the one line says all.
std::vector<Message>& kept_back() {
    static std::vector<Message> messages;
    return messages;
}

void keep_back(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type != QtFatalMsg) {
        kept_back().push_back({type, text});
        return;
    }
    std::fputs(
        "headlight: open the window: expected a display (DISPLAY, WAYLAND_DISPLAY or QT_QPA_PLATFORM), "
        "got none that can be used; headlight --help lists what needs none\n",
        stderr);
    std::_Exit(EXIT_FAILURE);
}

}  // namespace

DisplayCheck::DisplayCheck() { qInstallMessageHandler(keep_back); }

DisplayCheck::~DisplayCheck() {
    qInstallMessageHandler(nullptr);
    for (const Message& message : kept_back())
        qt_message_output(message.type, QMessageLogContext(), message.text);
    kept_back().clear();
}

}  // namespace headlight
