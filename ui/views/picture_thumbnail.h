#pragma once

#include "core/image/patches.h"

#include <QWidget>

#include <optional>

namespace headlight {

/// A picture, small, with the grid of its patches and a frame around one of them.
class PictureThumbnail : public QWidget {
    Q_OBJECT
public:
    explicit PictureThumbnail(QWidget* parent = nullptr);

    void show_picture(const PatchedPicture& image, std::optional<Index> outlined);

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    PatchedPicture image_;
    QImage pixels_;
    std::optional<Index> outlined_;
};

}  // namespace headlight
