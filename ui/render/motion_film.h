#pragma once

#include "core/figure/motion.h"
#include "ui/render/film_export.h"

#include <memory>

namespace headlight {

/// Frames in a second of a motion that nobody set a rate for.
inline constexpr double usual_motion_rate = 20;

/// The pictures of a motion from its begin to its end, `rate` of them in a second of it, 2 to 1000: what the
/// window shows at these moments, over the same still picture. Throws Error where nothing moves.
FilmStrip motion_film(std::shared_ptr<const Figure> still, Motion motion, double rate = usual_motion_rate);

}  // namespace headlight
