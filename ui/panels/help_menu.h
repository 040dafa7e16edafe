#pragma once

#include <QMenu>

namespace headlight {

/// Help: what the program is, and every key that does something, read from the actions themselves.
class HelpMenu : public QMenu {
    Q_OBJECT
public:
    explicit HelpMenu(QWidget* window);

    /// The keys of every action in the menus of the window, as a table.
    QString keyboard_text() const;

signals:
    void example_requested();

private:
    void show_page(const QString& title, const QString& html);

    QWidget* window_;
};

}  // namespace headlight
