#pragma once

#include <QMenu>

namespace headlight {

/// Help: what the program is, and every key that does something.
class HelpMenu : public QMenu {
    Q_OBJECT
public:
    explicit HelpMenu(QWidget* window);

signals:
    void begin_requested();
    void example_requested();

private:
    void show_page(const QString& title, const QString& html);

    QWidget* window_;
};

}  // namespace headlight
