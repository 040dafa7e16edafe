#include "ui/panels/style_frames.h"

#include <QPainter>

namespace headlight {
namespace {

constexpr double radius_of_message = 6, radius_of_badge = 4, radius_of_chip = 10;

}  // namespace

void paint_ground(QPainter& painter, const QRect& rect, double radius, const QColor& ground,
                  const QColor& line) {
    const double half = line.isValid() ? 0.5 : 0;  // of the line, which lies inside
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(line.isValid() ? QPen(line) : QPen(Qt::NoPen));
    painter.setBrush(ground.isValid() ? QBrush(ground) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(rect).adjusted(half, half, -half, -half), radius, radius);
    painter.restore();
}

void paint_focus(QPainter& painter, const QRect& rect, double radius, const QPalette& palette) {
    constexpr double width = 2;
    const auto line = [&](double from_edge, double line_width, QPalette::ColorRole colour) {
        painter.setPen(QPen(palette.color(colour), line_width));
        const double inside = from_edge + 0.5 * line_width;
        painter.drawRoundedRect(QRectF(rect).adjusted(inside, inside, -inside, -inside), radius, radius);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    line(0, width, QPalette::WindowText);
    line(width, 1, QPalette::Window);
    painter.restore();
}

void paint_dashed_edge(QPainter& painter, const QRect& rect, const QColor& edge) {
    constexpr double radius = 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(edge, 1, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

bool has_frame(Role role) {
    switch (role) {
    case Role::notice_message:
    case Role::problem_message:
    case Role::problem:
    case Role::badge:
    case Role::overlay:
    case Role::frame_of_chip:
    case Role::frame_of_refused_chip:
        return true;
    default:
        return false;
    }
}

QMargins frame_margins(Role role) {
    switch (role) {
    case Role::problem:
        return {6, 4, 6, 4};
    case Role::badge:
        return {6, 3, 6, 3};
    default:
        return {1, 1, 1, 1};
    }
}

void paint_frame(QPainter& painter, const QRect& rect, Role role, const Theme& theme) {
    const QColor line = theme.palette.color(QPalette::Mid);
    switch (role) {
    case Role::notice_message:
        return paint_ground(painter, rect, radius_of_message, theme.notice, line);
    case Role::problem_message:
        return paint_ground(painter, rect, radius_of_message, theme.problem, line);
    case Role::overlay:
        return paint_ground(painter, rect, radius_of_message, theme.palette.color(QPalette::Base), line);
    case Role::problem:
        return paint_ground(painter, rect, radius_of_badge, theme.problem, {});
    case Role::badge:
        return paint_ground(painter, rect, radius_of_badge, theme.notice, {});
    case Role::frame_of_chip:
        return paint_ground(painter, rect, radius_of_chip, {}, line);
    case Role::frame_of_refused_chip:
        return paint_ground(painter, rect, radius_of_chip, theme.problem, line);
    default:
        return;
    }
}

}  // namespace headlight
