#include "core/attention/rotary.h"

#include "core/attention/arithmetic_text.h"
#include "core/attention/explained_cell.h"

#include <algorithm>
#include <numbers>

namespace headlight {
namespace {

constexpr double turn = 2 * std::numbers::pi;

/// Between theta / s where a pair turns `low` times or fewer in the original length, and theta where it turns
/// `high` times or more, by the number of its turns: as the published code of Llama 3.1 has it with 1 and 4,
/// and the paper on YaRN (Peng et al. 2024, section 3.2) with 1 and 32.
void stretch_by_turns(std::vector<double>& frequencies, double factor, double length, double low,
                      double high) {
    for (double& frequency : frequencies) {
        const double turns = length * frequency / turn;
        const double kept = std::clamp((turns - low) / (high - low), 0.0, 1.0);
        frequency *= (1 - kept) / factor + kept;
    }
}

/// The same with 1 and 32, but by the number of the pair between those that turn so often, rounded outwards:
/// as the released code of YaRN has it and every library since.
void stretch_by_pairs(std::vector<double>& frequencies, double base, double factor, double length) {
    const auto d = static_cast<double>(2 * frequencies.size());
    const auto pair_that_turns = [&](double times) {
        return d * std::log(length / (times * turn)) / (2 * std::log(base));
    };
    const double low = std::max(std::floor(pair_that_turns(32)), 0.0);
    double high = std::min(std::ceil(pair_that_turns(1)), d - 1);
    if (high <= low)
        high = low + 0.001;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
        frequencies[i] *= ramp / factor + (1 - ramp);
    }
}

/// theta / lambda with a lambda of each pair, given in hundredths; pairs that none is given for have the last
/// (LongRoPE, Ding et al. 2024).
void stretch_each(std::vector<double>& frequencies, const std::vector<Index>& hundredths) {
    for (std::size_t i = 0; i < frequencies.size() && !hundredths.empty(); ++i)
        frequencies[i] *= 100 / static_cast<double>(hundredths[std::min(i, hundredths.size() - 1)]);
}

/// s^(d / (d - 2)): the slowest pair of all slows down by s. A single pair has no slower one.
double base_growth(double stretch, Index dimensions) {
    const auto d = static_cast<double>(dimensions);
    return dimensions > 2 ? std::pow(stretch, d / (d - 2)) : 1;
}

}  // namespace

std::vector<double> rotary_frequencies(Index dimensions, double base) {
    std::vector<double> frequencies;
    for (Index pair = 0; pair < dimensions / 2; ++pair)
        frequencies.push_back(pair_frequency(pair, dimensions, base));
    return frequencies;
}

Rotary scaled_rotary(const Options& options, Index dimensions, Index tokens) {
    const std::string& scaling = options.word("scaling");
    const double factor = options.number("factor");
    const auto length = static_cast<double>(options.count("original_length"));
    double base = options.number("base");
    if (scaling == "ntk")
        base *= base_growth(factor, dimensions);
    if (scaling == "dynamic_ntk") {
        const double now = std::max(static_cast<double>(tokens), length);
        base *= base_growth(factor * now / length - (factor - 1), dimensions);
    }
    Rotary rotary{rotary_frequencies(dimensions, base)};
    if (scaling == "linear")
        std::ranges::for_each(rotary.frequencies, [&](double& frequency) { frequency /= factor; });
    if (scaling == "llama3")
        stretch_by_turns(rotary.frequencies, factor, length, 1, 4);
    if (scaling == "yarn") {
        if (options.word("yarn_ramp") == "turns")
            stretch_by_turns(rotary.frequencies, factor, length, 1, 32);
        else
            stretch_by_pairs(rotary.frequencies, base, factor, length);
        rotary.magnitude = 0.1 * std::log(factor) + 1;
    }
    if (scaling == "longrope") {
        stretch_each(rotary.frequencies, options.list("pair_factors"));
        rotary.magnitude = std::sqrt(1 + std::log(factor) / std::log(length));
    }
    const double turned = std::floor(options.number("turned_share") * static_cast<double>(dimensions) / 2);
    std::fill(rotary.frequencies.begin() + static_cast<Index>(turned), rotary.frequencies.end(), 0.0);
    return rotary;
}

Option pairs_option() {
    return word_option("layout", "Pairs", {"half", "interleaved"},
                       "Which features form a pair: (i, i + d/2) as in GPT-NeoX and Hugging Face’s Llama, or "
                       "neighbours (2i, 2i + 1) as in the paper and Meta’s own Llama. Weights trained with "
                       "one do not work with the other.");
}

bool has_neighbouring_pairs(const Options& options) { return options.word("layout") == "interleaved"; }

Option base_option(const std::string& help) {
    // Pixtral 12B and Mistral Small 3.1 have 1e9; what is tuned for longer texts than they read has more.
    constexpr double largest_base = 1e10;
    return number_option("base", "Base", standard_base, logarithmic_range(2, largest_base), help);
}

PairedFeatures turned_features() {
    return {.why = "features are turned in pairs",
            .count = [](const Plan& plan) { return plan.head_query_width(); }};
}

void add_rotated_stages(const Plan& plan, StageList& list) {
    list.add_vectors("rotated_query", Axis::query, plan.head_query_width());
    list.add_vectors("rotated_key", Axis::key, plan.head_key_width());
}

Arithmetic explain_angles(const ExplainedCell& cell, std::string_view stage) {
    if (stage != "angles")
        return {};
    if (cell.row == 0)
        return "0: the first place is not turned";
    return Arithmetic("(") + std::to_string(cell.row + 1) + " − 1) × " +
           written(cell.at(stage, 0, 1, cell.column)) + ", the turn of this pair from one place to the next";
}

DeclaredStage declared_rotated_query() {
    return made_stage("rotated_query", "Rotated queries", {}, {.form_of = "query"});
}

DeclaredStage declared_rotated_key() {
    return made_stage("rotated_key", "Rotated keys", {}, {.form_of = "key", .colours_of = "rotated_query"});
}

}  // namespace headlight
