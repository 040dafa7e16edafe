#pragma once

#include "ui/models/parameter_table_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace headlight {

class Actions;
class Document;
class ParameterDialog;
class ParameterTable;
class SeedBox;

/// The matrices and vectors that the mechanism learns: how they are drawn, and each of them cell by cell.
class ParametersPanel : public QWidget {
    Q_OBJECT
public:
    ParametersPanel(Document& document, Actions& actions, QWidget* parent = nullptr);

signals:
    /// The "From a file…" button: choosing and reading files is the window's business.
    void open_requested();

private:
    void describe_fields();
    void follow();
    void refresh();
    void show_chosen();
    void open_larger();
    std::string chosen() const;

    Document& document_;
    Actions& actions_;
    ParameterTableModel model_;
    QComboBox* origin_;
    SeedBox* seed_;
    QPushButton* reseed_;
    QComboBox* names_;
    QLabel* meaning_;
    QPushButton* larger_;
    ParameterTable* table_;
    QPushButton* forget_;
    QPushButton* open_;
    ParameterDialog* dialog_ = nullptr;  ///< once it was asked for
};

}  // namespace headlight
