#pragma once

#include <QPixmap>

#include <functional>

class QPainter;
class QWidget;

namespace headlight {

/// What fills a widget, painted once and drawn from then on. Its memory is used again: a picture of a
/// screen's size that is new for every frame takes longer to get than to fill.
class KeptPicture {
public:
    /// It is out of date; of a widget that nobody sees it is given back.
    void forget(const QWidget& widget);
    /// `paint` fills it first where it is out of date, or was made for another size or density.
    void draw(QPainter& painter, const QWidget& widget, const std::function<void(QPainter&)>& paint);

private:
    QPixmap pixels_;
    bool is_painted_ = false;
};

}  // namespace headlight
