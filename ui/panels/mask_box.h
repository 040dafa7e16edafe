#pragma once

#include <QGroupBox>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace headlight {

class Document;
class MaskEditor;

/// The mask: drawn by hand, if a person likes; where there is one, also where it stands in the formula and
/// what a forbidden score becomes, with what the other order would change. An algorithm that has no such
/// place, or takes no drawn mask, says so instead.
class MaskBox : public QGroupBox {
    Q_OBJECT
public:
    explicit MaskBox(Document& document, QWidget* parent = nullptr);

    /// The editor, for the tokens that the session has; it is gone once it is closed. nullptr where there is
    /// nothing to edit, with a notice.
    MaskEditor* make_editor();

signals:
    void edit_asked();
    /// Why there is nothing to edit.
    void notice(const QString& text);

private:
    void refresh();

    Document& document_;
    QComboBox* order_;
    QCheckBox* infinite_;
    QDoubleSpinBox* value_;
    QLabel* difference_;  ///< between the orders; or why there are none
    QWidget* how_;        ///< what there is to say of a mask that is there
    QPushButton* draw_;
    QPushButton* forget_;
};

}  // namespace headlight
