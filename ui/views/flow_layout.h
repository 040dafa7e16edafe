#pragma once

#include <QLayout>
#include <QList>

namespace headlight {

/// Widgets one after another in lines, like words: what does not fit goes to the next line, and what is wider
/// than a line may be higher instead.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(int gap, QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& area) override;

private:
    /// Places the items if asked to; returns the height that they take.
    int flow(const QRect& area, bool place) const;

    QList<QLayoutItem*> items_;
    int gap_;
};

}  // namespace headlight
