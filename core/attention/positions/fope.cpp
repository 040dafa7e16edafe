#include "core/attention/composer.h"
#include "core/attention/refusals.h"
#include "core/attention/rotary.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <numbers>

namespace headlight {
namespace {

/// What the pairs of a head turn by: series of so many frequencies for the first pairs.
struct FourierPairs {
    explicit FourierPairs(const Plan& plan) : pairs(plan.head_query_width() / 2) {
        const Options& options = plan.position();
        const double least = 2 * std::numbers::pi / static_cast<double>(options.count("original_length"));
        const bool leaves_out = options.word("slow") == "left_out";
        for (const double frequency : rotary_frequencies(2 * pairs, options.number("base")))
            if (frequency >= least)
                frequencies.push_back(frequency);
            else if (!leaves_out)
                frequencies.push_back(0);
        series = leaves_out ? std::clamp<Index>(pairs / 2, 1, std::max<Index>(waves(), 1)) : pairs;
    }

    Index pairs;
    std::vector<double> frequencies;  ///< of those that trained models have seen turn once; 0 for others
    Index series = 0;                 ///< pairs that have one; the others do not turn
    Index waves() const { return std::ssize(frequencies); }
    /// The frequency that a pair begins with.
    bool begins_with(Index wave, Index pair) const { return wave == pair * parts_of_size(waves(), series); }
};

/// Σ_w a_w f(ω_w p) for each pair, as cosines or sines of all features [.., rows, d]; 1 for pairs that have
/// no series, as in the released code.
Expression write_series(Composer& composer, const std::string& name, const FourierPairs& fourier,
                        const Expression& waves, const std::string& parameter, bool is_key) {
    const Plan& plan = composer.plan;
    const Expression start = composer.constant(
        "first_waves", {0, fourier.waves(), fourier.series}, "1 for the wave that a pair begins with",
        [fourier](Index, Index wave, Index pair) { return fourier.begins_with(wave, pair) ? 1.0 : 0.0; });
    const Expression learned =
        split_rows(composer.parameter(parameter), plan.kv_heads > 1 ? plan.kv_heads : 0);
    const Expression series = product(waves, start + (is_key ? learned : composer.of_query_heads(learned)));
    std::vector<Index> columns;
    for (Index feature = 0; feature < 2 * fourier.pairs; ++feature)
        columns.push_back(std::min(feature % fourier.pairs, fourier.series - 1));
    const Expression of_features = some_columns(series, columns);
    if (fourier.series == fourier.pairs)
        return composer.let(name, of_features, "of each pair a series of its own");
    const Expression has_series =
        composer.truth("has_series", {0, 1, 2 * fourier.pairs}, "features of pairs with a series",
                       [fourier](Index, Index feature) { return feature % fourier.pairs < fourier.series; });
    return composer.let(name, choose(has_series, of_features, 1), "of each pair a series of its own");
}

/// x cos + partner sin, with series in the place of one cosine and one sine (Hua et al. 2025, as their code
/// has it).
Expression define_fope(Composer& composer, const std::string& name, const Expression& x, bool is_key) {
    const FourierPairs fourier(composer.plan);
    const Expression places =
        composer.constant(name + "_rows", {0, x.extent().rows, 1}, "places of the tokens, from 0",
                          [](Index, Index row, Index) { return static_cast<double>(row); });
    const Expression speeds = composer.constant(
        "wave_speeds", {0, 1, fourier.waves()}, "radians by which a wave goes on from one place to the next",
        [fourier](Index, Index, Index wave) { return fourier.frequencies[static_cast<std::size_t>(wave)]; });
    const Expression angles = composer.let(name + "_waves", places * speeds, "place × speed");
    const Expression cosines =
        write_series(composer, name + "_cosines", fourier, cos_of(angles), "fope_cosines", is_key);
    const Expression sines =
        write_series(composer, name + "_sines", fourier, sin_of(angles), "fope_sines", is_key);
    std::vector<Index> partners;
    for (Index feature = 0; feature < 2 * fourier.pairs; ++feature)
        partners.push_back((feature + fourier.pairs) % (2 * fourier.pairs));
    const Expression signs = composer.constant(
        "fope_signs", {0, 1, 2 * fourier.pairs}, "how the partner of a feature counts",
        [fourier](Index, Index, Index feature) { return feature < fourier.pairs ? -1 : 1; });
    const Expression partner =
        composer.let(name + "_partners", some_columns(x, partners), "the other feature of each pair");
    return composer.let("rotated_" + name, x * cosines + partner * signs * sines,
                        "every pair of features turned by its series");
}

void check_fope(const Plan& plan) {
    require_keys_of_query_width(plan, "fope");
    const Index width = plan.head_query_width();
    if (width < 4)
        throw Error(
            {"fope", "features of a head",
             "4 or more, for half of the pairs have a series: change the dimension of the vectors or the "
             "number of heads",
             std::to_string(width)});
}

}  // namespace

PositionComponent declare_positions_fope() {
    PositionComponent component;
    component.meaning =
        "x cos + x′ sin of pairs of features, as rotary positions, with series of the frequencies "
        "base^(−2i/d) "
        "in the place of a cosine and a sine, Σ a_w cos(ω_w p) and Σ b_w sin(ω_w p), a and b of each head, "
        "without the frequencies that turn less than once in the original length (FoPE, Hua et al. 2025)";
    component.options = {count_option("original_length", "Original length", 512,
                                      logarithmic_range(7, 1048576),
                                      "The length L of the training texts: pairs slower than 2π/L never turn "
                                      "once in it, and are not trained well."),
                         word_option("slow", "Slow frequencies", {"left_out", "still"},
                                     "Those below 2π/L: left out of the series, of which there is one for at "
                                     "most half of the pairs while the others do not turn, as in the models "
                                     "of the paper, or set to 0, with a series for each pair."),
                         base_option("Frequency i is base^(−2i/d), in radians from one place to the next.")};
    component.known_parameters = {
        {"fope_cosines", "[h_kv w, s] for w frequencies and s pairs with a series, head below head",
         "what is added to the 1 of the frequency that a pair begins with, in the series of cosines"},
        {"fope_sines", "[h_kv w, s]",
         "what is added to the 1 of the frequency that a pair begins with, in the series of sines"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const FourierPairs fourier(plan);
        for (const char* name : {"fope_cosines", "fope_sines"})
            list.add(name, {plan.kv_heads * fourier.waves(), fourier.series});
    };
    component.check = check_fope;
    component.paired = {turned_features()};
    component.stages = add_rotated_stages;
    component.turns_vectors = true;
    component.declared_stages = {
        made_stage("query_cosines", "Cosines of the queries", {"Σ a cos(ω p), feature by feature"},
                   {.lights = "rotated_query", .has_features = true}),
        made_stage("query_sines", "Sines of the queries", {"Σ b sin(ω p), feature by feature"},
                   {.lights = "rotated_query", .has_features = true}),
        declared_rotated_query(), declared_rotated_key()};
    component.define_turn = define_fope;
    return component;
}

}  // namespace headlight
