#pragma once

#include "core/figure/flow.h"
#include "ui/render/figure_style.h"

namespace headlight {

/// What is quiet has the greys of the theme; the accent is for what is selected alone.
inline const QColor& flow_line_colour(const FigureStyle& style, Flow::Light light) {
    return light == Flow::Light::lit ? style.accent : light == Flow::Light::firm ? style.text : style.frame;
}

}  // namespace headlight
