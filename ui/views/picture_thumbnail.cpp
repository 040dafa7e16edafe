#include "ui/views/picture_thumbnail.h"

#include "ui/render/picture_image.h"
#include "ui/views/pens_on_colours.h"

#include <QPainter>

#include <algorithm>

namespace headlight {
namespace {

constexpr int most_height = 132;

}  // namespace

PictureThumbnail::PictureThumbnail(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PictureThumbnail::show_picture(const PatchedPicture& image, std::optional<Index> outlined) {
    if (image == image_ && outlined == outlined_)
        return;
    if (image.picture != image_.picture) {
        pixels_ = image ? to_image(*image.picture) : QImage();
        updateGeometry();
    }
    image_ = image;
    outlined_ = outlined;
    update();
}

int PictureThumbnail::heightForWidth(int width) const {
    if (pixels_.isNull())
        return 0;
    return std::clamp(width * pixels_.height() / std::max(1, pixels_.width()), 8, most_height);
}

QSize PictureThumbnail::sizeHint() const { return {160, heightForWidth(160)}; }

void PictureThumbnail::paintEvent(QPaintEvent*) {
    if (pixels_.isNull())
        return;
    const QSizeF size = QSizeF(pixels_.size()).scaled(QSizeF(this->size()), Qt::KeepAspectRatio);
    const QRectF area(QPointF(0, 0), size);
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(area, pixels_);
    const PatchGrid grid = image_.grid();
    const double width = area.width() / static_cast<double>(grid.columns),
                 height = area.height() / static_cast<double>(grid.rows);
    painter.setPen(QPen(QColor(255, 255, 255, 110), 1));
    for (Index column = 1; column < grid.columns; ++column)
        painter.drawLine(QPointF(width * double(column), 0), QPointF(width * double(column), area.bottom()));
    for (Index row = 1; row < grid.rows; ++row)
        painter.drawLine(QPointF(0, height * double(row)), QPointF(area.right(), height * double(row)));
    if (!outlined_ || *outlined_ >= grid.count())
        return;
    const Index row = *outlined_ / grid.columns, column = *outlined_ % grid.columns;
    const QRectF patch(width * double(column), height * double(row), width, height);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPen& pen : pens_on_any_colour(palette().color(QPalette::Highlight), 1.8)) {
        painter.setPen(pen);
        painter.drawRect(patch);
    }
}

}  // namespace headlight
