#pragma once

#include <QTableView>

namespace headlight {

class ParameterTableModel;
class WrappedLabel;

/// The numbers of a parameter, in cells of one size in which each is read whole, whatever the type.
class ParameterTable : public QTableView {
    Q_OBJECT
public:
    ParameterTable(ParameterTableModel& model, const QString& id, QWidget* parent = nullptr);

    /// What a cell needs into which no number was typed. Whoever shows the table places it above that.
    WrappedLabel* problem() const { return problem_; }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit_cells();
    void widen_cells();
    int needed_width() const;

    ParameterTableModel& model_;
    WrappedLabel* problem_;
};

}  // namespace headlight
