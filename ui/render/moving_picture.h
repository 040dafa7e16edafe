#pragma once

#include <QImage>

#include <cstddef>
#include <functional>
#include <string>

namespace headlight {

/// Pictures of one size that are shown one after another, for ever, made one at a time.
struct MovingPicture {
    std::size_t count = 0;
    std::function<QImage(std::size_t)> picture;
    int milliseconds = 0;  ///< that each is shown
    std::string title, description, session;
};

}  // namespace headlight
