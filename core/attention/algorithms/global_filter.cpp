#include "core/attention/algorithms/gated_image.h"
#include "core/attention/algorithms/image_grid.h"

#include <numbers>

namespace headlight {
namespace {

/// The waves of an image of real numbers: all down the rows, half of those along the columns, for the others
/// are the same the other way round.
struct HalfSpectrum {
    explicit HalfSpectrum(const ImageGrid& grid)
        : rows(grid.rows()), columns(grid.columns()), across(columns / 2 + 1) {}

    Index waves() const { return rows * across; }
    /// The turns of a wave at a place, as a part of all places; whole turns are left out.
    double angle(Index wave, Index row, Index column) const {
        const Index down = wave / across * row % rows * columns,
                    right = wave % across * column % columns * rows;
        return 2 * std::numbers::pi * static_cast<double>((down + right) % (rows * columns)) /
               static_cast<double>(rows * columns);
    }
    /// What a wave counts in the image: twice where its mirror is left out.
    double share(Index wave) const {
        const Index right = wave % across;
        return (right == 0 || 2 * right == columns ? 1.0 : 2.0) / static_cast<double>(rows * columns);
    }

    Index rows, columns, across;
};

/// F⁻¹(K ∘ F(x)) of each channel, over rows and columns (Rao et al. 2021), in real numbers: with F = C − i S
/// and K = A + i B, the real part.
Expression define_global_filter(Composer& composer) {
    const ImageGrid grid(composer.plan);
    const HalfSpectrum spectrum(grid);
    const Expression angles = composer.of_places(
        "wave_angles", {0, spectrum.waves(), grid.places()}, "2π (u i / rows + v j / columns) of each wave",
        [=](Place at) { return spectrum.angle(at.row, grid.row(at.column), grid.column(at.column)); });
    const Expression cosines = composer.let("wave_cosines", cos_of(angles), "of each wave at each place"),
                     sines = composer.let("wave_sines", sin_of(angles), "of each wave at each place");
    const Expression counts = composer.of_places(
        "wave_shares", {0, 1, spectrum.waves()},
        "what each wave counts: twice where its mirror is left out, over the number of places",
        [=](Place at) { return spectrum.share(at.column); });
    const Expression by_cosines = composer.let("cosine_spectrum", product(cosines, composer.query),
                                               "how much of each wave is in each channel"),
                     by_sines = composer.let("sine_spectrum", product(sines, composer.query),
                                             "the same, a quarter of a wave later");
    const Expression real = split_heads(composer.parameter("W_filter_cosine"), composer.heads),
                     imaginary = split_heads(composer.parameter("W_filter_sine"), composer.heads);
    const Expression filtered = composer.let("filtered_cosines", real * by_cosines + imaginary * by_sines,
                                             "the spectrum times the filter"),
                     filtered_late = composer.let("filtered_sines", real * by_sines - imaginary * by_cosines);
    const auto width = static_cast<double>(composer.plan.head_query_width());
    const Expression mean = composer.let("mean_filter_cosines",
                                         transposed(sum_of_columns(real) / width) * counts,
                                         "the filter, the mean over the channels"),
                     mean_late = composer.let("mean_filter_sines",
                                              transposed(sum_of_columns(imaginary) / width) * counts);
    const Expression back = transposed(cosines), back_late = transposed(sines);
    composer.let("weights",
                 product_transposed(back * mean - back_late * mean_late, back) +
                     product_transposed(back_late * mean + back * mean_late, back_late),
                 "whatever the image says: what each place takes of each, the mean over the channels");
    return composer.let("context",
                        product(back * counts, filtered) + product(back_late * counts, filtered_late),
                        "the filtered waves, added up again");
}

}  // namespace

AlgorithmComponent declare_algorithms_global_filter() {
    AlgorithmComponent component;
    component.meaning =
        "o = F⁻¹(K ∘ F(x)) for each channel, F the Fourier transform over rows and columns of a grid, K a "
        "learned filter of complex numbers: a convolution around the edges whose kernel is as large as the "
        "image (Rao et al. 2021, GFNet); the tokens fill the grid row by row, and places that an incomplete "
        "last row lacks are zero; the weights shown are the kernels at their places, the mean over the "
        "channels";
    component.options = {columns_option()};
    component.known_parameters = {
        {"W_filter_cosine", "[rows (⌊columns / 2⌋ + 1), h d]",
         "the real part of the filter, wave by wave, those along the columns first"},
        {"W_filter_sine", "[rows (⌊columns / 2⌋ + 1), h d]", "the imaginary part of the filter"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const Index waves = HalfSpectrum(ImageGrid(plan)).waves();
        list.add("W_filter_cosine", {waves, plan.query_width});
        list.add("W_filter_sine", {waves, plan.query_width});
    };
    component.check = [](const Plan& plan) {
        check_feature_map(plan, "global_filter algorithm");
        refuse_turned_vectors(plan, "global_filter", "no query meets a key");
    };
    component.makes_keys_and_values = true;
    component.changes_context = always;
    component.declared_stages = {
        made_stage("wave_cosines", "Cosines of the waves",
                   {"each wave at each place, whatever the image says"},
                   {.lights = "context", .is_of_features = true}),
        made_stage("wave_sines", "Sines of the waves", {"each wave at each place, whatever the image says"},
                   {.colours_of = "wave_cosines", .lights = "context", .is_of_features = true}),
        made_stage("cosine_spectrum", "Spectrum, cosines",
                   {"how much of each wave is in each channel", {{"wave_cosines"}, {"query", "×"}}, "="},
                   {.lights = "context", .is_of_features = true, .has_features = true}),
        made_stage("sine_spectrum", "Spectrum, sines",
                   {"the same, a quarter of a wave later", {{"wave_sines"}, {"query", "×"}}, "="},
                   {.colours_of = "cosine_spectrum",
                    .lights = "context",
                    .is_of_features = true,
                    .has_features = true}),
        made_stage(
            "filtered_cosines", "Filtered spectrum, cosines",
            {"the spectrum times the filter", {{"cosine_spectrum"}, {"sine_spectrum", "and"}}, "× filter\n→"},
            {.colours_of = "cosine_spectrum",
             .lights = "context",
             .is_of_features = true,
             .has_features = true}),
        made_stage(
            "filtered_sines", "Filtered spectrum, sines",
            {"the spectrum times the filter", {{"sine_spectrum"}, {"cosine_spectrum", "and"}}, "× filter\n→"},
            {.colours_of = "cosine_spectrum",
             .lights = "context",
             .is_of_features = true,
             .has_features = true}),
        made_stage("weights", "Weights",
                   {"the kernels at their places, the mean over the channels",
                    {{"wave_cosines"}, {"wave_sines", "and"}},
                    "× filter\n→"},
                   {.lights = "output", .role = StageRole::weights}),
        made_stage("context", "Context",
                   {"the filtered waves, added up again",
                    {{"filtered_cosines"}, {"filtered_sines", "and"}},
                    "× waves,\nadded up\n→"},
                   {.lights = "output"})};
    component.define = define_global_filter;
    return component;
}

}  // namespace headlight
