#pragma once

#include <QWidget>

#include <string>

class QPushButton;

namespace headlight {

class Document;
class FormulaView;
class MechanismChooser;
class MechanismForm;
class WrappedLabel;

/// Which attention: its name, formula, knobs, explanation and paper, and what to look for in its pictures.
class MechanismPanel : public QWidget {
    Q_OBJECT
public:
    explicit MechanismPanel(Document& document, QWidget* parent = nullptr);

signals:
    /// A mechanism was picked, or the control that had the keyboard went with the old one: what comes next is
    /// looking.
    void picture_wanted();

public slots:
    void open_chooser();
    void next_mechanism();
    void previous_mechanism();

private:
    void choose(const std::string& id);
    void use_example();
    void refresh();

    Document& document_;
    MechanismChooser* chooser_;
    FormulaView* formula_;
    WrappedLabel* aliases_;
    WrappedLabel* explanation_;
    WrappedLabel* paper_;
    WrappedLabel* look_for_;
    QPushButton* example_;
    QPushButton* reset_;
    MechanismForm* form_;
};

}  // namespace headlight
