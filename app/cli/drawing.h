#pragma once

#include <QGuiApplication>

#include <optional>

namespace headlight {

/// Qt's fonts and images without a display, for as long as it lives; its remarks about the surroundings are
/// nobody's business here.
class Drawing {
public:
    Drawing() {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
        application_.emplace(count_, names_);
    }

private:
    int count_ = 1;
    char name_[10] = "headlight";
    char* names_[2] = {name_, nullptr};
    std::optional<QGuiApplication> application_;
};

}  // namespace headlight
