#pragma once

#include "core/image/picture.h"
#include "core/text/token_vectors.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

/// Patches in rows and columns, numbered row by row: the tokens of an image.
struct PatchGrid {
    Index rows = 0, columns = 0;

    Index count() const { return rows * columns; }
    bool operator==(const PatchGrid&) const = default;
};

/// As many tokens as the window keeps fluid.
inline constexpr Index most_patches = 512;

/// The most columns that a picture can be cut into: a pixel for each, and at most most_patches patches.
Index most_patch_columns(const Picture& picture);
/// What a picture is cut into unless somebody says otherwise: 14, as in ViT-B/16 at 224 pixels, or the most.
Index usual_patch_columns(const Picture& picture);

/// The grid with so many columns whose patches are nearest to squares. Throws Error for less than 1 or more
/// than most_patch_columns().
PatchGrid patch_grid(const Picture& picture, Index columns);

/// A picture and how it is cut. Immutable and shared: undo keeps many sessions, and figures show it.
struct PatchedPicture {
    std::shared_ptr<const Picture> picture;  ///< null where there is no image
    Index columns = 14;

    explicit operator bool() const { return picture != nullptr; }
    /// Throws Error as patch_grid() does. There must be a picture.
    PatchGrid grid() const { return patch_grid(*picture, columns); }
    bool operator==(const PatchedPicture&) const = default;
};

/// The picture cut into usual_patch_columns().
PatchedPicture cut(Picture picture);

/// "row,column" of every patch, counted from 1.
std::vector<std::string> patch_labels(PatchGrid grid);

/// So many pixels high and wide is a patch when it becomes a vector.
inline constexpr Index patch_pixels = 8;

/// [patch, 3 patch_pixels²] The picture is brought to patch_pixels for every row and column of patches, each
/// pixel the mean of the area that it covers, and each patch's colours are read pixel by pixel. Centred on
/// the mean of each colour over the picture, and scaled to the root mean square typical_component; a picture
/// of one colour is all zero.
Tensor patch_colours(const Picture& picture, PatchGrid grid);

/// [patch, dimension] The colours of each patch times one random matrix drawn from `settings.seed`, which
/// about keeps their products, so that like patches have like vectors: a patch embedding (Dosovitskiy et al.
/// 2021, equation 1) that nothing has trained. Of the settings, `kind` and `reduction` are about words.
Tensor patch_vectors(const Picture& picture, PatchGrid grid, const VectorSettings& settings);

}  // namespace headlight
