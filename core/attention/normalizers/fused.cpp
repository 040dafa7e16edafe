#include "core/attention/component.h"
#include "core/attention/defined_rows.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

/// Each column's number in the column `back` places before it, and 0 where there is none.
Expression moved_ahead(DefinedRows& rows, const Expression& x, Index back) {
    const Index columns = x.extent().columns;
    std::vector<Index> places;
    for (Index column = 0; column < columns; ++column)
        places.push_back(std::max<Index>(column - back, 0));
    const Expression reaches = rows.composer.truth_of_places(
        numbered("reaches_back_", back) + (columns == rows.composer.plan.keys ? "" : rows.suffix),
        {0, 1, columns}, "columns that have one so many places before them",
        [back](Place at) { return at.column >= back; });
    return choose(reaches, some_columns(x, places), 0);
}

/// Sums of all neighbouring keys up to each key, by how many places back the sum begins.
struct SumsOfNeighbours {
    struct From {
        Expression is_open;     ///< 1 where the key that it begins at may be met
        Expression is_first;    ///< 1 where none before that may be
        Expression sum, count;  ///< over the keys that may be met
    };
    std::vector<From> from;
};

SumsOfNeighbours write_sums_of_neighbours(DefinedRows& rows, const Expression& z) {
    const Expression open = rows.has_forbidden ? rows.let("is_key", as_number(rows.is_open())) : 1 + 0 * z;
    const Expression met = rows.let("met_scores", rows.open_only(z));
    const Expression first = rows.let("is_first_key", as_number(is_equal(open * cumulative_sum(open), 1)));
    SumsOfNeighbours sums;
    for (Index back = 0; back < z.extent().columns; ++back) {
        const std::string number = numbered("_", back);
        const Expression is_open = rows.let("is_open" + number, moved_ahead(rows, open, back));
        const Expression taken = moved_ahead(rows, met, back);
        sums.from.push_back(
            {is_open, moved_ahead(rows, first, back),
             rows.let("sum" + number, back == 0 ? taken : sums.from.back().sum + taken,
                      "of the scores from so many places back"),
             rows.let("count" + number, back == 0 ? is_open : sums.from.back().count + is_open)});
    }
    return sums;
}

/// Minimising over one key after another (Johnson 2013), what the keys so far pull on a common value b is
/// f(b) = b − z + the pull of those before, cut off at −λ and λ: where it is `level`. All branches of these
/// minima and maxima grow with b, so that the root of the larger of two is the smaller of their roots.
Expression write_level(DefinedRows& rows, const std::string& name, const SumsOfNeighbours& sums, double level,
                       double fusing, const std::function<Expression(const Expression&)>& columns) {
    Expression found = 0 * columns(sums.from.front().sum);
    for (Index back = std::ssize(sums.from) - 1; back >= 0; --back) {
        const auto& from = sums.from[static_cast<std::size_t>(back)];
        const Expression count = larger_of(columns(from.count), 1), sum = columns(from.sum) + level;
        const Expression held = smaller_of((sum + fusing) / count, larger_of((sum - fusing) / count, found));
        found = rows.let(name + numbered("_", back),
                         choose(is_above(columns(from.is_open), 0.5),
                                choose(is_above(columns(from.is_first), 0.5), sum / count, held), found));
    }
    return found;
}

/// argmin ½ |y − z|² + λ Σ |y_{j+1} − y_j| over the keys that may be met.
Expression write_drawn_neighbours(DefinedRows& rows, const Expression& z, double fusing) {
    const Index last = z.extent().columns - 1;
    const SumsOfNeighbours sums = write_sums_of_neighbours(rows, z);
    const auto all = [](const Expression& x) { return x; };
    const Expression upper = write_level(rows, "highest", sums, fusing, fusing, all);
    const Expression lower = write_level(rows, "lowest", sums, -fusing, fusing, all);
    const Expression of_last = write_level(rows, "balance", sums, 0, fusing,
                                           [last](const Expression& x) { return some_columns(x, {last}); });
    std::vector<Expression> values{of_last};
    for (Index column = last - 1; column >= 0; --column) {
        const auto at = [column](const Expression& x) { return some_columns(x, {column}); };
        const Expression held = larger_of(at(lower), smaller_of(at(upper), values.back()));
        values.push_back(rows.let(
            numbered("value_", column),
            choose(is_above(some_columns(sums.from.front().is_open, {column + 1}), 0.5), held, values.back()),
            "as near to the value after it as the keys so far let it be"));
    }
    std::ranges::reverse(values);
    return last == 0 ? values.front() : join_columns(values);
}

/// argmin ½ |y − z|² + λ Σ_{i<j} max(y_i, y_j): λ less for each key that is larger, and means where that
/// turns the order around.
Expression write_drawn_ranks(DefinedRows& rows, const Expression& z, double fusing) {
    const Index columns = z.extent().columns;
    const Expression sorted = rows.let("descending_keys", descending(z), "each row, the largest first");
    const auto where_key = [&](const Expression& x, const Expression& otherwise) {
        return rows.has_forbidden ? choose(is_above(sorted, minus_infinity()), x, otherwise) : x;
    };
    const Expression places = rows.composer.constant(
        "rank_places" + (columns == rows.composer.plan.keys ? "" : rows.suffix), {0, 1, columns},
        "0, 1, 2, ...", [](Index, Index, Index column) { return static_cast<double>(column); });
    const Expression drawn =
        rows.let("drawn", where_key(sorted, 0) + fusing * places, "λ more for each that is larger");
    Expression sum = drawn, least = drawn;
    for (Index back = 1; back < columns; ++back) {
        const std::string number = numbered("_", back);
        sum = rows.let("sum" + number, sum + moved_ahead(rows, drawn, back),
                       "of these from so many places back");
        least = rows.let("least" + number,
                         choose(is_at_least(places, static_cast<double>(back)),
                                smaller_of(least, sum / static_cast<double>(back + 1)), least),
                         "the least mean that ends here");
    }
    least = rows.let("least_means", where_key(least, minus_infinity()), "the least mean that ends here");
    const auto at = [](const Expression& x, Index column) { return some_columns(x, {column}); };
    const Expression rank = rows.let("ranks", rank_of(z), "0 for the largest of its row");
    Expression value = at(least, columns - 1), found = 0 * rows.open_only(z);
    for (Index column = columns - 1; column >= 0; --column) {
        const std::string number = numbered("_", column);
        if (column + 1 < columns)
            value = rows.let("value" + number, larger_of(at(least, column), value),
                             "the largest of the least means from here on");
        found = rows.let("found" + number, choose(is_equal(rank, static_cast<double>(column)), value, found));
    }
    return found;
}

Expression define_fused_weights(DefinedRows& rows) {
    const Expression z = rows.below_largest();
    const double fusing = rows.number("fusing");
    const Expression drawn = rows.options().word("which") == "all" ? write_drawn_ranks(rows, z, fusing)
                                                                   : write_drawn_neighbours(rows, z, fusing);
    const Expression fused = rows.let("fused_scores", rows.open_only(drawn), "scores, drawn together");
    return rows.sparsemax(rows.has_forbidden ? rows.let("open_fused_scores", rows.open_or_forbidden(fused))
                                             : fused);
}

}  // namespace

NormalizerComponent declare_normalizers_fused() {
    NormalizerComponent component;
    component.phrase = "sparsemax of each row, scores drawn together";
    component.meaning = "sparsemax of argmin_y ½ |y − s|² + λ Σ |y_{j+1} − y_j|, fusedmax: neighbours get "
                        "the same weight where their scores are near; or of the same with λ Σ_{i<j} "
                        "max(|y_i|, |y_j|), oscarmax: any keys do (Niculae and Blondel 2017)";
    component.options = {word_option("which", "Drawn together", {"neighbours", "all"},
                                     "Whether neighbouring keys get equal weights (fusedmax), or any keys "
                                     "whose scores are near (oscarmax)."),
                         number_option("fusing", "Fusing λ", 0.5, {0, 10},
                                       "How strongly weights are drawn together; 0 is sparsemax.")};
    component.check = [](const Plan& plan) {
        constexpr Index most_keys = 256;  // each is looked at in lines of its own
        if (plan.keys > most_keys)
            throw Error({"fused normaliser", "keys", "at most " + std::to_string(most_keys),
                         std::to_string(plan.keys)});
    };
    component.declared_stages = {
        made_stage("fused_scores", "Scores, drawn together", {"near ones have become equal"},
                   {.lights = "weights", .role = StageRole::scores, .leaves_out_masked = true})};
    component.define = define_fused_weights;
    return component;
}

}  // namespace headlight
