// Pictures become token vectors: what a patch is, against loops of the test's own; and like patches are
// alike.

#include "core/image/patches.h"
#include "tests/support/refusal.h"
#include "tests/support/sample_pictures.h"

#include <cmath>

namespace headlight::patches_test {

using namespace test;

namespace {

Picture noise(Index width, Index height) {
    return samples::picture(width, height, [](Index row, Index column) {
        return std::array{static_cast<int>((row * 37 + column * 11) % 256),
                          static_cast<int>(row * column % 256),
                          static_cast<int>((row * row + 3 * column) % 256)};
    });
}

/// The mean colour of a rectangle of real numbers, point by point: pixels that it covers in part count in
/// part.
double area_mean(const Picture& picture, double top, double bottom, double left, double right, int channel) {
    double sum = 0;
    for (Index row = 0; row < picture.height; ++row)
        for (Index column = 0; column < picture.width; ++column) {
            const double y = std::min(bottom, double(row + 1)) - std::max(top, double(row));
            const double x = std::min(right, double(column + 1)) - std::max(left, double(column));
            if (y > 0 && x > 0)
                sum += x * y *
                       picture.rgb[static_cast<std::size_t>((row * picture.width + column) * 3 + channel)];
        }
    return sum / ((bottom - top) * (right - left));
}

/// [patch, 3 patch_pixels²] as the header says, before it is centred and scaled.
std::vector<std::vector<double>> plain_patches(const Picture& picture, PatchGrid grid) {
    const double height = double(picture.height) / double(grid.rows * patch_pixels),
                 width = double(picture.width) / double(grid.columns * patch_pixels);
    std::vector<std::vector<double>> patches;
    for (Index patch = 0; patch < grid.count(); ++patch) {
        patches.emplace_back();
        for (Index pixel = 0; pixel < patch_pixels * patch_pixels; ++pixel) {
            const Index row_of_image = patch / grid.columns * patch_pixels + pixel / patch_pixels,
                        column_of_image = patch % grid.columns * patch_pixels + pixel % patch_pixels;
            const auto row = static_cast<double>(row_of_image), column = static_cast<double>(column_of_image);
            for (int channel = 0; channel < 3; ++channel)
                patches.back().push_back(area_mean(picture, row * height, (row + 1) * height, column * width,
                                                   (column + 1) * width, channel));
        }
    }
    return patches;
}

void centre_and_scale(std::vector<std::vector<double>>& patches) {
    double squares = 0, count = 0;
    for (std::size_t channel = 0; channel < 3; ++channel) {
        double mean = 0, pixels = 0;
        for (const auto& patch : patches)
            for (std::size_t i = channel; i < patch.size(); i += 3, ++pixels)
                mean += patch[i];
        for (auto& patch : patches)
            for (std::size_t i = channel; i < patch.size(); i += 3, ++count) {
                patch[i] -= mean / pixels;
                squares += patch[i] * patch[i];
            }
    }
    for (auto& patch : patches)
        for (double& colour : patch)
            colour *= typical_component / std::sqrt(squares / count);
}

struct Cut {
    Index width, height, columns;
};

class Patches : public testing::TestWithParam<Cut> {};

TEST_P(Patches, AreTheMeansOfTheAreasThatTheirPixelsCover) {
    const auto [width, height, columns] = GetParam();
    const Picture picture = noise(width, height);
    const PatchGrid grid = patch_grid(picture, columns);
    auto expected = plain_patches(picture, grid);
    centre_and_scale(expected);
    const Tensor patches = patch_colours(picture, grid);
    ASSERT_EQ(patches.shape(), (Shape{grid.count(), 3 * patch_pixels * patch_pixels}));
    for (Index patch = 0; patch < grid.count(); ++patch)
        for (Index i = 0; i < patches.cols(); ++i)
            ASSERT_NEAR(patches(patch, i),
                        expected[static_cast<std::size_t>(patch)][static_cast<std::size_t>(i)], 1e-9)
                << "patch " << patch << ", number " << i;
}

INSTANTIATE_TEST_SUITE_P(Sizes, Patches,
                         testing::Values(Cut{32, 32, 4}, Cut{50, 37, 5}, Cut{7, 5, 3}, Cut{33, 8, 2},
                                         Cut{3, 3, 3}, Cut{2, 1, 1}, Cut{5, 40, 2}),
                         [](const auto& row) {
                             return std::to_string(row.param.width) + "x" + std::to_string(row.param.height) +
                                    "by" + std::to_string(row.param.columns);
                         });

TEST(PatchGrids, HavePatchesNearToSquares) {
    EXPECT_EQ(patch_grid(noise(224, 224), 14), (PatchGrid{14, 14}));
    EXPECT_EQ(patch_grid(noise(256, 192), 14), (PatchGrid{11, 14}));
    EXPECT_EQ(patch_grid(noise(256, 10), 4), (PatchGrid{1, 4})) << "there is always a row";
    EXPECT_EQ(patch_grid(noise(10, 256), 1), (PatchGrid{26, 1}));
}

TEST(PatchGrids, AreNeverMoreThanTheWindowKeepsFluid) {
    for (const auto& [width, height] :
         {std::pair<Index, Index>{256, 256}, {256, 64}, {64, 256}, {256, 1}, {1, 256}, {1, 1}, {3, 200}}) {
        const Picture picture = noise(width, height);
        const Index most = most_patch_columns(picture);
        for (Index columns = 1; columns <= most; ++columns)
            EXPECT_LE(patch_grid(picture, columns).count(), std::max(most_patches, height))
                << width << " × " << height;
        EXPECT_GE(usual_patch_columns(picture), 1);
        EXPECT_LE(usual_patch_columns(picture), std::min<Index>(14, most));
        expect_refusal([&] { patch_grid(picture, most + 1); },
                       {"patches across", "1 to " + std::to_string(most)});
        expect_refusal([&] { patch_grid(picture, 0); }, {"patches across", "got 0"});
    }
    EXPECT_EQ(usual_patch_columns(noise(224, 224)), 14);
}

TEST(PatchVectors, OfLikePatchesAreAlike) {
    const Picture picture = samples::landscape();
    const PatchGrid grid = patch_grid(picture, 6);
    ASSERT_EQ(grid, (PatchGrid{4, 6}));
    const Tensor vectors = patch_vectors(picture, grid, {.dimension = 64, .seed = 5});
    ASSERT_EQ(vectors.shape(), (Shape{24, 64}));
    const auto product = [&](Index a, Index b) {
        double sum = 0;
        for (Index i = 0; i < vectors.cols(); ++i)
            sum += vectors(a, i) * vectors(b, i);
        return sum;
    };
    const Index left_square = 7, right_square = 10, sky = 0, meadow = 20;
    EXPECT_DOUBLE_EQ(product(left_square, right_square), product(left_square, left_square))
        << "the same patch";
    EXPECT_GT(product(left_square, right_square), 2 * product(left_square, sky));
    EXPECT_LT(product(sky, meadow), 0) << "on both sides of the mean";
    EXPECT_NE(patch_vectors(picture, grid, {.dimension = 64, .seed = 6}), vectors) << "another matrix";
}

TEST(PatchVectors, HaveTheSizeOfWordVectors) {
    const Picture picture = noise(120, 90);
    const Tensor vectors = patch_vectors(picture, patch_grid(picture, 12), {.dimension = 64});
    double squares = 0;
    for (const double component : vectors.values())
        squares += component * component;
    EXPECT_NEAR(std::sqrt(squares / double(vectors.size())), typical_component, 0.15 * typical_component);
}

TEST(PatchVectors, OfOneColourAreZero) {
    const Picture picture = samples::picture(20, 20, [](Index, Index) { return std::array{200, 13, 77}; });
    const Tensor vectors = patch_vectors(picture, patch_grid(picture, 4), {});
    for (const double component : vectors.values())
        EXPECT_EQ(component, 0);
}

TEST(PatchVectors, RefuseADimensionThatIsNone) {
    const Picture picture = noise(4, 4);
    for (const Index dimension : {Index(0), largest_dimension + 1})
        expect_refusal([&] { patch_vectors(picture, patch_grid(picture, 2), {.dimension = dimension}); },
                       {"dimension", "1 to 4096"});
}

TEST(PatchLabels, NameRowAndColumn) {
    EXPECT_EQ(patch_labels({2, 3}), (std::vector<std::string>{"1,1", "1,2", "1,3", "2,1", "2,2", "2,3"}));
}

}  // namespace

}  // namespace headlight::patches_test
