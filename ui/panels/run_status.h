#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace headlight {

class Document;

/// In the status bar: what the newest run is like, and while one is under way that it can be cancelled.
class RunStatus : public QWidget {
    Q_OBJECT
public:
    explicit RunStatus(Document& document, QWidget* parent = nullptr);

private:
    void show_run();

    Document& document_;
    QLabel* text_;
    QProgressBar* busy_;
    QToolButton* cancel_;
};

}  // namespace headlight
