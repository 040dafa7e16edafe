#pragma once

#include <QObject>

#include <csignal>
#include <functional>

class QSocketNotifier;

namespace headlight {

/// While it lives, SIGTERM, SIGINT and SIGHUP call a function on the UI thread instead of ending the program:
/// the end of a desktop's session is no crash. A second signal ends it at once. There is one at a time.
class Termination : public QObject {
    Q_OBJECT
public:
    explicit Termination(std::function<void()> terminate);
    ~Termination() override;

private:
    std::function<void()> terminate_;
    QSocketNotifier* notifier_;
};

}  // namespace headlight
