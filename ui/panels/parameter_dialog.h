#pragma once

#include <QDialog>

class QLabel;

namespace headlight {

class Document;
class ParameterTable;
class ParameterTableModel;

/// The numbers of a parameter in a window of their own, as many of them as the screen has room for. What is
/// typed is an edit of the document, and undone with its keys.
class ParameterDialog : public QDialog {
    Q_OBJECT
public:
    ParameterDialog(Document& document, ParameterTableModel& model, QWidget* parent = nullptr);

    /// What the model shows now; closes where it shows none.
    void show_parameter(const QString& name, const QString& meaning);
    /// As large as its numbers, within the screen.
    void open_fresh();

private:
    QLabel* meaning_;
    ParameterTable* table_;
};

}  // namespace headlight
