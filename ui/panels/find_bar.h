#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace headlight {

class Document;
class TokenSearch;

/// The line in which one types what to find among the tokens, with how many there are. Hidden until asked
/// for; Escape puts it away, and the marks with it.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(Document& document, QWidget* parent = nullptr);

    /// Shows it, what was searched last selected.
    void open();
    void find_next();
    void find_previous();

signals:
    /// It was put away: who had the focus before may have it again.
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void search();
    void close_bar();
    void show_count();
    void restyle();

    TokenSearch& search_;
    QLineEdit* text_;
    QToolButton *expression_, *previous_, *next_, *close_;
    QLabel* count_;
};

}  // namespace headlight
