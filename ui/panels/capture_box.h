#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace headlight {

class Document;
struct SessionCapture;

/// How a capture is looked at: in which units, and beside which other capture.
class CaptureBox : public QWidget {
    Q_OBJECT
public:
    explicit CaptureBox(Document& document, QWidget* parent = nullptr);

signals:
    /// Choosing a file is the window's business.
    void other_requested();

private:
    void refresh();
    /// One step of the history.
    template <class Change>
    void change(const QString& text, const Change& change);

    Document& document_;
    QComboBox* units_;
    QPushButton* compare_;
    QWidget* compared_;  ///< with what, and that it can be ended
    QLabel* other_;
    QToolButton* close_;
    QCheckBox* difference_;
};

}  // namespace headlight
