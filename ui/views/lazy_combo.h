#pragma once

#include <QComboBox>

namespace headlight {

/// A drop-down list that makes the window of its entries when it is opened. A QComboBox makes it, eleven
/// widgets, as soon as it is told its width in letters or gets another font.
class LazyCombo : public QComboBox {
    Q_OBJECT
public:
    /// As wide as its longest entry.
    explicit LazyCombo(QWidget* parent = nullptr);
    /// As wide as so many letters, whatever its entries.
    explicit LazyCombo(int letters, QWidget* parent = nullptr);

    /// From now on as wide as the entry that is chosen. The list that it opens is as wide as the longest.
    void fit_chosen();
    /// A row that cannot be chosen, above others.
    void insert_heading(int row, const QString& text);

    QSize sizeHint() const override;
    void showPopup() override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    int letters_ = 0;  ///< 0 where its entries decide
    bool fits_chosen_ = false;
};

}  // namespace headlight
