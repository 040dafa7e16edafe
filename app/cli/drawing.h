#pragma once

#include <QGuiApplication>

#include <optional>

namespace headlight {

/// Gives a command Qt's fonts and images without a display, for as long as it lives. Qt's warnings about the
/// environment would stand among the command's own lines on standard error, and are dropped.
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
