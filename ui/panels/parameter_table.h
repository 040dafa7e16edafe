#pragma once

#include <QTableView>

namespace headlight {

class ParameterTableModel;

/// The numbers of a parameter, in cells of one size in which each is read whole, whatever the type.
class ParameterTable : public QTableView {
    Q_OBJECT
public:
    ParameterTable(ParameterTableModel& model, const QString& id, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit_cells();
    void widen_cells();
    int needed_width() const;

    ParameterTableModel& model_;
};

}  // namespace headlight
