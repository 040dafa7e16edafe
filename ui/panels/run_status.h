#pragma once

#include <QObject>

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace headlight {

class Document;

/// In the status bar: what the newest run is like, and while one is under way that it can be cancelled.
class RunStatus : public QObject {
    Q_OBJECT
public:
    RunStatus(Document& document, QStatusBar& bar);

private:
    void show_run();

    Document& document_;
    QLabel* text_;
    QProgressBar* busy_;
    QToolButton* cancel_;
};

}  // namespace headlight
