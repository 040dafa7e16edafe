#pragma once

#include <QTableView>

namespace headlight {

class ComparisonModel;

/// The numbers of a comparison, as high as its rows; copied with all digits.
class ComparisonTable : public QTableView {
    Q_OBJECT
public:
    explicit ComparisonTable(ComparisonModel& model, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    void copy() const;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    /// One line, or as many as the reason takes why it cannot run.
    int height_of(int row) const;

    ComparisonModel& model_;
};

}  // namespace headlight
