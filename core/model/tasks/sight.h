#pragma once

#include "core/image/patches.h"
#include "core/tensor/tensor.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// How the sources of a task look whose models see them: each token is a patch of a picture, row by row,
/// dark ink on white paper.
struct Sight {
    PatchGrid grid{};  ///< of no patches: nothing is seen, and models are given the tokens
    /// Whether there is ink at this place of a patch, from 0 on the left and at the top to 1. Of a token that
    /// is none of the task's there is none.
    bool (*is_inked)(std::string_view token, double across, double down) = nullptr;

    explicit operator bool() const { return is_inked != nullptr; }
    /// Numbers of a patch: one for each pixel.
    static constexpr Index numbers() { return patch_pixels * patch_pixels; }
    /// [tokens, numbers()] How much of each pixel is ink, from 0 to 1, pixel by pixel and row by row.
    FloatTensor patches(std::span<const std::string> source) const;
    /// What people see of a source, with more pixels; nothing of one that has not a token for each patch.
    PatchedPicture picture(std::span<const std::string> source) const;
    /// What patches are called, which have no words: "2,5 c", the row and the column, and what is written
    /// for it.
    std::vector<std::string> names(std::span<const std::string> source) const;
};

}  // namespace headlight
