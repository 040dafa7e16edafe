#pragma once

#include "ui/jobs/job_queue.h"

#include <QDialog>

class QComboBox;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace headlight {

class ChartPlot;
class CostStudy;
class Document;
class WrappedLabel;

/// What runs of the session's mechanism and of others take as texts grow: measured while one looks, as a
/// picture with two logarithmic axes and as numbers.
class CostDialog : public QDialog {
    Q_OBJECT
public:
    explicit CostDialog(Document& document, QWidget* parent = nullptr);

    /// With the mechanisms that the session has now, and what was measured of them before.
    void begin_fresh();
    CostStudy& study() { return *study_; }
    ChartPlot* plot() { return plot_; }

public slots:
    void reject() override;

private:
    QWidget* build_choice();
    QWidget* build_controls();
    QWidget* build_ends();
    QWidget* build_table();
    void toggle();
    void save_picture();
    void copy_numbers() const;
    void refresh();
    void fit_table();

    Document& document_;
    CostStudy* study_;
    ChartPlot* plot_;
    QComboBox* quantity_ = nullptr;
    QComboBox* most_ = nullptr;
    QPushButton *start_ = nullptr, *copy_ = nullptr, *save_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QSortFilterProxyModel* measured_ = nullptr;
    QTableView* table_ = nullptr;
    WrappedLabel* ends_ = nullptr;  ///< why lines end early or are missing
    JobQueue saving_;
};

}  // namespace headlight
