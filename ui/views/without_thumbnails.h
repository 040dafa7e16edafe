#pragma once

#include "core/figure/figure.h"

#include <vector>

namespace headlight {

/// The figure as a view of the window draws it: the bar above the picture names every stage, so that small
/// pictures of them would only take room.
inline Figure without_thumbnails(Figure figure) {
    std::erase_if(figure.panels, [](const Panel& panel) { return panel.thumbnail; });
    return figure;
}

}  // namespace headlight
