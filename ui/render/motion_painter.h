#pragma once

#include "core/figure/motion_moment.h"
#include "ui/render/figure_style.h"
#include "ui/render/motion_places.h"
#include "ui/render/painter.h"

#include <QRegion>

class QPainter;

namespace headlight {

/// The moments of a motion over one still picture, frame by frame: what frames share is worked out once.
class MotionPainter {
public:
    /// The figure and its layout stay as they are for as long as this does.
    MotionPainter(const Figure& figure, const FigureLayout& layout, double unit);
    MotionPainter(const MotionPainter&) = delete;
    MotionPainter& operator=(const MotionPainter&) = delete;

    /// Over the figure that was painted before, which has room for the words.
    void paint(QPainter& painter, const MotionMoment& moment);
    /// Where the pictures of the two moments may differ.
    QRegion between(const MotionMoment& before, const MotionMoment& after);

private:
    const Figure& figure_;
    const FigureLayout& layout_;
    double unit_;
    FigureStyle style_;
    MotionPlaces places_;
};

}  // namespace headlight
