#pragma once

#include <QWidget>

#include <string>

class QMenu;
class QPushButton;
class QVBoxLayout;

namespace headlight {

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
    /// Whose entries are made when it is first opened: starting pays for none of them.
    QMenu* add_menu(QPushButton* button, void (BeginPanel::*fill)(QMenu&));
    void fill_tour(QMenu& menu);
    void fill_models(QMenu& menu);

    QVBoxLayout* column_;
};

}  // namespace headlight
