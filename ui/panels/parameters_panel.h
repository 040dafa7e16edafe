#pragma once

#include "ui/models/parameter_table_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace headlight {

class Document;
class SeedBox;

/// The matrices and vectors that the mechanism learns: how they are drawn, and each of them cell by cell.
class ParametersPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParametersPanel(Document& document, QWidget* parent = nullptr);

signals:
    /// The "From a file…" button: choosing and reading files is the window's business.
    void open_requested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fit_cells();
    void refresh();
    void show_chosen();
    std::string chosen() const;

    Document& document_;
    ParameterTableModel model_;
    QComboBox* origin_;
    SeedBox* seed_;
    QPushButton* reseed_;
    QComboBox* names_;
    QLabel* meaning_;
    QTableView* table_;
    QPushButton* forget_;
    QPushButton* open_;
};

}  // namespace headlight
