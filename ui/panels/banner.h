#pragma once

#include "core/tensor/error.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace headlight {

/// A message in a line of the window: what happened, and nothing to click away before going on. One that is
/// too long for its room has smaller letters, down to those of the menus; where that is not enough the first
/// lines are shown, and a button shows all of it.
class Banner : public QFrame {
    Q_OBJECT
public:
    enum class Kind { problem, notice };

    explicit Banner(const QString& id, QWidget* parent = nullptr);

    void show_error(const Error& error);
    void show_notice(const QString& text);
    /// Offers a step that mends what the message says, called `text`, until something else is said.
    void offer_step(const QString& text);
    /// The message without markup; empty when nothing is shown.
    QString text() const;
    Kind kind() const { return kind_; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

signals:
    /// Something was said, also where the banner said something else before.
    void said();
    /// The step that was offered is to be taken.
    void step_asked();

private:
    void show_message(Kind kind, const QString& html, const QString& plain);
    /// Whole lines, as many as there is room for.
    void fit();
    bool is_whole_in(const QSize& room) const;
    void show_whole();

    QLabel* message_;
    QToolButton *step_, *whole_, *dismiss_;
    QString plain_;
    Kind kind_ = Kind::notice;
};

/// "file.csv, line 3: read numbers. Expected a number; found “cat”." The place is bold.
QString error_html(const Error& error);

}  // namespace headlight
