#pragma once

#include <QDialog>

class QLabel;

namespace headlight {

class Actions;
class ParameterTable;
class ParameterTableModel;

/// The numbers of a parameter in a window of their own, as many of them as the screen has room for. What is
/// typed is an edit of the document, and undone with the keys of the window, whose `actions` these are.
class ParameterDialog : public QDialog {
    Q_OBJECT
public:
    ParameterDialog(ParameterTableModel& model, Actions& actions, QWidget* parent = nullptr);

    /// What the model shows now; closes where it shows none.
    void show_parameter(const QString& name, const QString& meaning_html);
    /// As large as its numbers, within the screen.
    void open_fresh();

private:
    QLabel* meaning_;
    ParameterTable* table_;
};

}  // namespace headlight
