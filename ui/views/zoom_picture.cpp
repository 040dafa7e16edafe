#include "ui/views/zoom_picture.h"

#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/motion_clock.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <utility>

namespace headlight {

using namespace std::chrono_literals;

namespace {

PictureRect rect_of_picture(const QRectF& share, const QRectF& area) {
    return {share.x() * area.width(), share.y() * area.height(), share.width() * area.width(),
            share.height() * area.height()};
}

void draw_moved(QPainter& painter, const QImage& pixels, const QRectF& area, const PictureMove& move) {
    painter.save();
    painter.translate(move.across, move.down);
    painter.scale(move.scale, move.scale);
    painter.drawImage(area, pixels);
    painter.restore();
}

/// The same place in the same light: the pictures of all its stops are as they were.
bool has_same_pictures(ViewState a, const ViewState& b) {
    a.view = b.view;
    a.level = b.level;
    a.player = b.player;
    a.speed = b.speed;
    return a == b;
}

constexpr double beside_names = 14, around_names = 8;

double width_of_names(const QFontMetricsF& metrics, const std::vector<DepthStop>& named) {
    double width = beside_names;
    for (const DepthStop stop : named)
        width += metrics.horizontalAdvance(QString::fromStdString(depth_name(stop))) + beside_names;
    return width;
}

/// All seven, or where they have no room the one where one is.
std::vector<DepthStop> named_depths(const QFontMetricsF& metrics, double room, DepthStop nearest) {
    const std::vector<DepthStop> all(all_depths.begin(), all_depths.end());
    return width_of_names(metrics, all) <= room ? all : std::vector{nearest};
}

/// The names of the seven depths in the lower edge of `area`, that where one is marked; those that are not
/// there are pale. Where they have no room, only the one where one is.
void paint_depths(QPainter& painter, const QRectF& area, const QPalette& palette,
                  const std::vector<DepthStop>& stops, const Depth& depth) {
    if (stops.empty())
        return;
    const QFontMetricsF metrics(painter.font());
    const auto nearest = stops[static_cast<std::size_t>(
        std::min<Index>(settled_stop(depth.place(), depth.stop), std::ssize(stops) - 1))];
    const std::vector<DepthStop> named = named_depths(metrics, area.width() - 2 * around_names, nearest);
    const double height = metrics.height() + around_names;
    QRectF plate(0, 0, width_of_names(metrics, named), height);
    plate.moveCenter({area.center().x(), area.bottom() - around_names - height / 2});
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette.color(QPalette::Mid));
    painter.setBrush(palette.color(QPalette::Window));
    painter.drawRoundedRect(plate, 4, 4);
    double x = plate.left() + beside_names;
    for (const DepthStop stop : named) {
        const QString name = QString::fromStdString(depth_name(stop));
        const QRectF place(x, plate.top(), metrics.horizontalAdvance(name), height);
        const bool is_there = std::ranges::find(stops, stop) != stops.end();
        painter.setPen(palette.color(is_there ? QPalette::Active : QPalette::Disabled, QPalette::WindowText));
        painter.drawText(place, Qt::AlignCenter, name);
        if (stop == nearest)
            painter.fillRect(QRectF(x, plate.bottom() - 4, place.width(), 3),
                             palette.color(QPalette::Highlight));
        x += place.width() + beside_names;
    }
}

}  // namespace

ZoomPicture::ZoomPicture(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), way_(WayIn::of(document)) {
    describe(this, QStringLiteral("zoom_picture"), tr("Between two depths"),
             tr("Turn the wheel to go on; a click shows the nearest picture"));
    setFocusPolicy(Qt::NoFocus);
    hide();
    until_still_.setSingleShot(true);
    until_still_.setInterval(120ms);
    connect(&until_still_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(&way_, &WayIn::leaving, this, &ZoomPicture::keep_shown);
    connect(&way_, &WayIn::moved, this, &ZoomPicture::follow);
    connect(&document_, &Document::run_changed, this, &ZoomPicture::forget);
    connect(&document_.looking(), &Looking::zoom_changed, this, &ZoomPicture::forget);
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (!(before.figure == document_.session().figure))
            forget();
    });
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        if (!has_same_pictures(before, document_.view()))
            forget();
    });
}

void ZoomPicture::lie_over(QWidget* picture) {
    if (parentWidget() == picture)
        return;
    if (parentWidget())
        parentWidget()->removeEventFilter(this);
    setParent(picture);  // which hides it
    picture->installEventFilter(this);
    setGeometry(picture->rect());
    follow();
}

bool ZoomPicture::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void ZoomPicture::mousePressEvent(QMouseEvent* event) {
    event->accept();
    way_.arrive();
}

void ZoomPicture::wheelEvent(QWheelEvent* event) {
    event->accept();
    way_.turn_wheel(event->angleDelta().y());
}

// The two pictures

void ZoomPicture::forget() {
    painting_.cancel();
    pictures_.clear();
    if (isVisible())
        make_lacking();
}

std::vector<DepthStop> ZoomPicture::wanted() const {
    const std::vector<DepthStop>& stops = way_.stops();
    const Index first = way_.depth().stop, end = std::min<Index>(first + 2, std::ssize(stops));
    return {stops.begin() + first, stops.begin() + std::max(first, end)};
}

void ZoomPicture::follow() {
    if (!parentWidget() || !way_.is_between()) {
        hide();
        until_still_.stop();
        painting_.cancel();
        pictures_.clear();
        return;
    }
    if (!isVisible()) {
        if (pictures_.empty())  // one has not come from another stop
            keep_shown();
        raise();
        show();
    }
    make_lacking();
    until_still_.start();
    update();
}

void ZoomPicture::keep_shown() {
    const auto* canvas = qobject_cast<FigureCanvas*>(parentWidget());
    const auto stop = way_.stop();
    const auto run = document_.run();
    const ViewState& here = document_.view();
    if (isVisible() || !canvas || !canvas->isVisible() || !stop || level_of(*stop) ||
        pictures_.contains(*stop) || canvas->view_kind() != here.view || !canvas->shown() ||
        MotionClock::of(document_).is_reduced())
        return;
    DepthPicture& kept = pictures_[*stop];
    kept.pixels = parentWidget()->grab().toImage();
    kept.part = share_of_area(way_into(*canvas->shown(), *run->trace, here), canvas->size());
}

DepthOrder ZoomPicture::order(DepthStop stop) const {
    DepthOrder order;
    order.stop = stop;
    order.run = document_.run();
    order.view = at_depth(document_.view(), stop, way_.stops());
    try {
        if (!level_of(stop))
            order.figure = document_.figure(order.view.view);
    } catch (...) {  // the canvas of that view says why it has none
    }
    order.range = document_.session().figure.range;
    order.size = size();
    order.ratio = devicePixelRatioF();
    order.unit = logicalDpiY() / 72.0;
    order.palette = palette();
    order.font = font();
    return order;
}

void ZoomPicture::make_lacking() {
    if (painting_.is_running())
        return;
    for (const DepthStop stop : wanted()) {
        if (pictures_.contains(stop))
            continue;
        painting_.start(
            "draw a depth",
            [this, order = order(stop)](const Cancellation&) -> Job::Delivery {
                if (level_of(order.stop))
                    return [this, order, words = depth_words(order)] {
                        take(order.stop, paint_depth_words(order, words));
                    };
                return [this, stop = order.stop, made = paint_depth_picture(order)] { take(stop, made); };
            },
            [](const Error&) {});
        return;
    }
}

void ZoomPicture::take(DepthStop stop, DepthPicture picture) {
    pictures_[stop] = std::move(picture);
    update();
    make_lacking();
}

void ZoomPicture::paintEvent(QPaintEvent*) {
    const QRectF area(rect());
    const std::vector<DepthStop> pair = wanted();
    const auto picture = [&](std::size_t at) {
        const auto found = at < pair.size() ? pictures_.find(pair[at]) : pictures_.end();
        return found == pictures_.end() ? nullptr : &found->second;
    };
    const DepthPicture *outer = picture(0), *inner = picture(1);
    if (!outer && !inner)
        return;  // the real picture below is to be seen until one is there
    QPainter painter(this);
    painter.fillRect(area, palette().color(QPalette::Base));
    const Depth depth = way_.depth();
    const QRectF part = outer ? outer->part : share_of_area({}, {});
    const ZoomMoves moves =
        zoom_moves(rect_of_picture(part, area), {0, 0, area.width(), area.height()}, depth.fraction);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, !until_still_.isActive());
    if (outer)
        draw_moved(painter, outer->pixels, area, moves.outer);
    if (inner) {
        painter.setOpacity(outer ? moves.inner_opacity : 1);
        draw_moved(painter, inner->pixels, area, moves.inner);
        painter.setOpacity(1);
    }
    paint_depths(painter, area, palette(), way_.stops(), depth);
}

}  // namespace headlight
