#include "core/attention/component.h"

#include <cstdlib>

namespace headlight {
namespace {

/// The largest power of 2 that is no more than so many frames; 1 for the same one.
Index band_of_frames(Index apart) {
    Index band = 1;
    while (2 * band <= apart)
        band *= 2;
    return band;
}

}  // namespace

MaskComponent declare_masks_radial() {
    MaskComponent component;
    component.meaning =
        "Tokens of a video, as many to a frame as frame says: places whose distance is at most frame/b − 1, "
        "b the largest power of 2 up to the distance of the two frames; where that is less than one place, "
        "the own place of every ⌈b/frame⌉-th frame; and the first frame (Li et al. 2025, equation 4)";
    component.options = {count_option("frame", "Tokens of a frame", 4, token_counts,
                                      "How many tokens in a row are one frame of the video."),
                         flag_option("first", "First frame", true,
                                     "Every token sees the first frame as a whole, to which models turn when "
                                     "they have nothing to look for.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const Index frame = options.count("frame");
        const bool sees_first = options.flag("first");
        return [=](Index query, Index key) {
            if (sees_first && key < frame)
                return true;
            const Index frames = std::abs(query / frame - key / frame),
                        places = std::abs(query % frame - key % frame), band = band_of_frames(frames);
            if (band <= frame && (places + 1) * band <= frame)
                return true;
            return places == 0 && frames % parts_of_size(band, frame) == 0;
        };
    };
    return component;
}

}  // namespace headlight
