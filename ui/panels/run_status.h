#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace headlight {

class Document;

/// What the newest run is like, and while one is under way that it can be cancelled.
class RunStatus : public QWidget {
    Q_OBJECT
public:
    explicit RunStatus(Document& document, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void show_run();
    void keep_width();

    Document& document_;
    QLabel* text_;
    QProgressBar* busy_;
    QToolButton* cancel_;
};

}  // namespace headlight
