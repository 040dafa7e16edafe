#pragma once

#include <QLabel>
#include <QStringList>

namespace headlight {

/// Shows one of several pages of HTML, and is as high as the highest of them: what stands below it stays
/// where it is while they are turned.
class PagedLabel : public QLabel {
    Q_OBJECT
public:
    explicit PagedLabel(QWidget* parent = nullptr);

    void show_page(const QStringList& pages, qsizetype shown);

    int heightForWidth(int width) const override;

private:
    QStringList pages_;
};

}  // namespace headlight
