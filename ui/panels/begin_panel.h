#pragma once

#include <QWidget>

#include <string>

class QPushButton;
class QVBoxLayout;

namespace headlight {

class ContextMenu;
class LessonMenu;

/// Ways into the program, in place of the left panels: on the first start, and whenever it is called back.
/// What is chosen is the window's business, which then shows its panels again.
class BeginPanel : public QWidget {
    Q_OBJECT
public:
    explicit BeginPanel(LessonMenu& lessons, QWidget* parent = nullptr);

signals:
    void first_example_asked();
    void mechanism_asked(const std::string& id);
    void model_asked(const QString& name);
    void training_asked();
    void own_text_asked();
    void file_asked();
    /// The panels are wanted, and nothing else.
    void panels_asked();

private:
    /// A way in, with a line under it that says what there is.
    QPushButton* add(const QString& id, const QString& title, const QString& effect);
    void place(QPushButton* button, const QString& id, const QString& title, const QString& effect);
    /// Whose entries are made when it is first opened: starting pays for none of them.
    void add_menu(QPushButton* button, const char* id, void (BeginPanel::*fill)(ContextMenu&));
    void fill_tour(ContextMenu& menu);

    QVBoxLayout* column_;
};

}  // namespace headlight
