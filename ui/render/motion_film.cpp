#include "ui/render/motion_film.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {

FilmStrip motion_film(std::shared_ptr<const Figure> still, Motion motion, double rate) {
    if (!still || motion.is_empty())
        throw Error({"draw a motion", "",
                     "a stage that follows from matrices of at most " + std::to_string(most_moving_rows) +
                         " rows beside it",
                     motion.at(0).words});
    constexpr double most_pictures = 1000;
    const double last = std::clamp(std::round(motion.seconds() * rate), 1.0, most_pictures - 1);
    return {static_cast<std::size_t>(last) + 1,
            [still = std::move(still), motion = std::move(motion), last](std::size_t number) {
                Figure figure = *still;
                figure.motion = motion.at(static_cast<double>(number) / last);
                figure.description += (figure.description.empty() ? "" : "\n") + figure.motion->words;
                return figure;
            }};
}

}  // namespace headlight
