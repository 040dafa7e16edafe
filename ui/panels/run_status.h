#pragma once

#include <QElapsedTimer>
#include <QWidget>

class QProgressBar;
class QToolButton;

namespace headlight {

class Document;
class ElidedLabel;

/// What the newest run is like, and while one is under way that it can be cancelled.
class RunStatus : public QWidget {
    Q_OBJECT
public:
    explicit RunStatus(Document& document, QWidget* parent = nullptr);

    /// What goes on beside the run. The words about the run make room for it.
    void add_beside(QWidget* other);
    /// What is said about the run, before what can be pressed. A message may lie over it.
    QWidget* words() const;

    QSize sizeHint() const override;
    /// What can be pressed while a run is under way, and the beginning of what goes on beside it.
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void show_run();
    void show_estimate(double seconds, double bytes);
    void show_progress(double share);
    void keep_width();
    bool is_for_class() const;
    /// A class has the size alone: the words of the player beside it have the room.
    QString words_for(const QString& size, const QString& rest) const;

    Document& document_;
    ElidedLabel* text_;
    QProgressBar* busy_;
    QElapsedTimer since_;  ///< the run told of its progress for the first time
    double first_share_ = 0;
    QToolButton* cancel_;
    int width_ = 0;  ///< that it likes to have
};

}  // namespace headlight
