#include "ui/views/depth_sign.h"

#include "core/io/session_words.h"
#include "ui/models/document.h"
#include "ui/views/describe.h"
#include "ui/views/way_in.h"
#include "ui/views/wrapped_tip.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

constexpr int of_a_stop = 100;  // values of the slider
constexpr int last_depth = static_cast<int>(depth_count) - 1;
constexpr int beside_stops = 8, between_stops = 14;
constexpr double large_stop = 4.5, small_stop = 3, lacking_stop = 1.5;

QString depth_word(DepthStop stop) { return QString::fromStdString(depth_name(stop)); }

QString level_word(Level level) { return QString::fromStdString(level_name(level)); }

QString word_for_none() { return DepthSign::tr("No depth"); }

}  // namespace

DepthSign::DepthSign(Document& document, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), way_(WayIn::of(document)) {
    describe(this, QStringLiteral("depth_sign"), tr("Depth"),
             tr("How near the picture is: a click goes to a depth, dragging shows what is between two"));
    setRange(0, last_depth * of_a_stop);
    setSingleStep(of_a_stop);
    setPageStep(of_a_stop);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&way_, &WayIn::moved, this, &DepthSign::follow);
    // What a screen reader sets.
    connect(this, &QSlider::valueChanged, this, [this](int shown) {
        const auto stop = static_cast<DepthStop>(
            std::clamp(static_cast<int>(std::lround(shown / double(of_a_stop))), 0, last_depth));
        way_.go_to(stop);
        follow();
    });
    follow();
}

void DepthSign::follow() {
    const std::vector<DepthStop> stops = way_.stops();
    setEnabled(way_.stop().has_value());
    const QSignalBlocker quiet(this);
    setValue(stops.empty() ? 0
                           : static_cast<int>(std::lround(of_a_stop * on_depth_scale(stops, way_.depth()))));
    if (const QString said = tr("Depth: %1").arg(name()); said != accessibleName())
        setAccessibleName(said);
    update();
}

QString DepthSign::why_none() const {
    return tr("The view that is shown is none of the depths: those are the map of the model, all heads, "
              "stages, one matrix or its steps, and a cell");
}

QString DepthSign::name() const {
    if (const auto page = way_.page())
        return level_word(*page);
    const auto stop = way_.stop();
    return stop ? depth_word(*stop) : word_for_none();
}

QString DepthSign::words_of_name() const {
    const DepthStop stop = *way_.stop();
    const auto page = way_.page();
    if (!page)
        return words_of(stop);
    const auto known = std::ranges::find(words<Level>(), *page, &Word<Level>::value);
    return tr("%1: %2. The picture beside it is at the depth %3")
        .arg(level_word(*page), QString::fromUtf8(known->meaning), depth_word(stop));
}

int DepthSign::width_of_name() const {
    int widest = fontMetrics().horizontalAdvance(word_for_none());
    const auto widen = [&](const QString& name) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(name));
    };
    for (const DepthStop stop : all_depths)
        widen(depth_word(stop));
    for (const Word<Level>& level : words<Level>())
        widen(level_word(level.value));
    return widest;
}

void DepthSign::show_name(bool shown) {
    if (std::exchange(shows_name_, shown) == shown)
        return;
    updateGeometry();
    update();
}

QSize DepthSign::sizeHint() const {
    const int stops = 2 * beside_stops + last_depth * between_stops;
    return {stops + (shows_name_ ? beside_stops + width_of_name() : 0), fontMetrics().height() + 6};
}

QPointF DepthSign::place_of(int stop) const {
    return {static_cast<double>(beside_stops + stop * between_stops), height() / 2.0};
}

double DepthSign::scale_at(QPointF point) const {
    const double first = place_of(0).x(), last = place_of(last_depth).x();
    return last_depth * std::clamp((point.x() - first) / (last - first), 0.0, 1.0);
}

double DepthSign::left_of_name() const { return place_of(last_depth).x() + beside_stops; }

bool DepthSign::is_on_name(QPointF point) const { return shows_name_ && point.x() >= left_of_name(); }

int DepthSign::stop_at(QPointF point) const { return static_cast<int>(std::lround(scale_at(point))); }

bool DepthSign::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QSlider::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<DepthStop> stops = way_.stops();
    if (stops.empty()) {
        QToolTip::showText(help->globalPos(), why_none(), this);
        return true;
    }
    const QString said =
        is_on_name(help->pos()) ? words_of_name() : words_of(static_cast<DepthStop>(stop_at(help->pos())));
    QToolTip::showText(help->globalPos(), wrapped_tip(said), this);
    return true;
}

bool DepthSign::is_there(DepthStop stop) const { return std::ranges::count(way_.stops(), stop) > 0; }

QString DepthSign::words_of(DepthStop stop) const {
    const QString name = depth_word(stop);
    if (!is_there(stop))
        return tr("%1 is not there: %2").arg(name, QString::fromStdString(depth_lacks(stop)));
    const QString shown = tr("%1: %2").arg(name, QString::fromStdString(depth_shows(stop))),
                  tabs = QString::fromStdString(depth_tabs(stop));
    return tabs.isEmpty() ? shown : tr("%1. Among the tabs: %2").arg(shown, tabs);
}

void DepthSign::paintEvent(QPaintEvent*) {
    const std::vector<DepthStop> stops = way_.stops();
    const auto here = way_.stop();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor there = palette().color(QPalette::Active, QPalette::WindowText),
                 pale = palette().color(QPalette::Disabled, QPalette::WindowText);
    painter.setPen(QPen(here ? there : pale, 1));
    if (shows_name_)
        painter.drawText(QRectF(left_of_name(), 0, width() - left_of_name(), height()),
                         Qt::AlignLeft | Qt::AlignVCenter, name());
    painter.setPen(QPen(pale, 1));
    painter.drawLine(place_of(0), place_of(last_depth));
    for (int stop = 0; stop <= last_depth; ++stop) {
        const bool leads_there = is_there(static_cast<DepthStop>(stop));
        const double size = leads_there ? small_stop : lacking_stop;  // a speck is nothing to press
        painter.setPen(QPen(leads_there ? there : pale, 1));
        painter.setBrush(leads_there ? palette().color(QPalette::Base) : pale);
        painter.drawEllipse(place_of(stop), size, size);
    }
    if (here) {
        const double scale = on_depth_scale(stops, way_.depth());
        const double x = place_of(0).x() + scale * (place_of(1).x() - place_of(0).x());
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::Highlight));
        painter.drawEllipse(QPointF(x, place_of(0).y()), large_stop, large_stop);
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
}

void DepthSign::mousePressEvent(QMouseEvent* event) {
    event->setAccepted(event->button() == Qt::LeftButton);
    pressed_ = event->position();
    is_dragged_ = false;
}

void DepthSign::mouseMoveEvent(QMouseEvent* event) {
    const std::vector<DepthStop> stops = way_.stops();
    if (!(event->buttons() & Qt::LeftButton) || stops.empty() || is_on_name(pressed_))
        return;
    is_dragged_ =
        is_dragged_ || (event->position() - pressed_).manhattanLength() >= QApplication::startDragDistance();
    if (is_dragged_)
        way_.hold(from_depth_scale(stops, scale_at(event->position())).place());
}

void DepthSign::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || is_on_name(pressed_))
        return;
    if (is_dragged_)
        way_.settle();
    else if (const auto stop = static_cast<DepthStop>(stop_at(event->position()));
             way_.stop() && !is_there(stop))
        QToolTip::showText(event->globalPosition().toPoint(), wrapped_tip(words_of(stop)), this);
    else
        way_.go_to(stop);
    is_dragged_ = false;
}

void DepthSign::wheelEvent(QWheelEvent* event) { event->ignore(); }

void DepthSign::keyPressEvent(QKeyEvent* event) {
    const std::vector<DepthStop> stops = way_.stops();
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Plus:
    case Qt::Key_PageUp:
        way_.go_in();
        return;
    case Qt::Key_Left:
    case Qt::Key_Down:
    case Qt::Key_Minus:
    case Qt::Key_PageDown:
        way_.go_out();
        return;
    case Qt::Key_Home:
        if (!stops.empty())
            way_.go_to(stops.front());
        return;
    case Qt::Key_End:
        if (!stops.empty())
            way_.go_to(stops.back());
        return;
    default:
        event->ignore();
    }
}

}  // namespace headlight
