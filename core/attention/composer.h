#pragma once

#include "core/attention/plan.h"
#include "core/graph/program.h"
#include "core/graph/row_formulas.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// A composed attention in the making, from token vectors to output: what the components of its spec define
/// their part of, each in its own file.
class Composer {
public:
    Composer(const Plan& given_plan, Program& given_program);

    const Plan& plan;
    Program& program;
    Index heads = 0;          ///< Extent::heads of whatever each head has: 0 for a single one
    Expression query_tokens;  ///< [n, d], with the position term
    Expression key_tokens;    ///< [m, d]
    Expression plain_query;   ///< [h, n, d_k], before norms and rotations
    Expression query;         ///< [h, n, d_k], as it meets the keys
    Expression key;           ///< [h, m, d_k]
    Expression value;         ///< [h, m, d_v]

    Expression let(const std::string& name, const Expression& result, const std::string& note = {}) {
        return program.let(name, result, note);
    }
    /// A parameter of the plan, [1, d] where it is a vector.
    Expression parameter(const std::string& name);
    /// Returns a parameter [h d] as [h, 1, d].
    Expression parameter_of_heads(const std::string& name);
    /// Returns a parameter [h rows, d], one matrix below another, as [h, rows, d].
    Expression matrices_of_heads(const std::string& name);
    /// Numbers that follow from places, of which many, such as one of each pair, are made only where they are
    /// read: `number` holds by value what it reads, and nothing that ends before the plan. An outline has
    /// zeros in their place.
    Expression constant(const std::string& name, const Extent& extent, const std::string& note,
                        std::function<double(Index head, Index row, Index column)> number);
    Expression zeros(const std::string& name, const Extent& extent, const std::string& note);
    /// As constant(), of true and false; `rule` says so of rows i and columns j, see GivenTensor.
    Expression truth(const std::string& name, const Extent& extent, const std::string& note,
                     std::function<bool(Index row, Index column)> holds, const std::string& rule = {});
    /// Pairs [n, m] that the mask lets meet and of which `holds` is true as well, which `rule` says.
    Expression pairs_where(const std::string& name, const std::string& note,
                           std::function<bool(Index query, Index key)> holds, const std::string& rule = {});
    /// As constant(), but an outline has the numbers as well: they follow from no parameter.
    Expression of_places(const std::string& name, const Extent& extent, const std::string& note,
                         std::function<double(Place)> number, bool is_truth = false,
                         const std::string& rule = {});
    /// As of_places(), of true and false.
    template <class Holds>
    Expression truth_of_places(const std::string& name, const Extent& extent, const std::string& note,
                               Holds holds) {
        return of_places(
            name, extent, note, [holds = std::move(holds)](Place at) { return holds(at) ? 1.0 : 0.0; }, true);
    }
    /// 0, 1, 2, ...: the places of the queries [n, 1], and of the keys [1, m].
    Expression query_places();
    Expression key_places();

    /// The mask lets the pair meet, and a cache of bounded size still has the key. A copy of it holds as long
    /// as the plan.
    const std::function<bool(Index query_row, Index key_row)> may_meet;
    bool is_forbidden_anywhere() const { return !plan.allowed.all_allowed(); }
    /// Pairs that the mask lets meet, [n, m]; to be asked for where is_forbidden_anywhere().
    Expression allowed();
    /// `x` where the mask lets a pair meet, and `otherwise` where it does not.
    Expression where_allowed(const Expression& x, const Expression& otherwise);
    /// The same, but a finite mask value forbids nothing.
    Expression where_open(const Expression& x, const Expression& otherwise) {
        return mask_excludes() ? where_allowed(x, otherwise) : x;
    }
    /// Scores of such pairs, else minus infinity.
    Expression open_or_forbidden(const Expression& scores) { return where_open(scores, minus_infinity()); }
    /// A finite mask value forbids nothing.
    bool mask_excludes() const { return is_forbidden_anywhere() && !plan.spec.mask_value; }

    /// x W, plus b where it has a name.
    Expression projected(const Expression& x, const std::string& matrix, const std::string& bias = {});
    /// The same [rows, h d] as [h, rows, d].
    Expression projected_by_heads(const Expression& x, const std::string& matrix,
                                  const std::string& bias = {}) {
        return split_heads(projected(x, matrix, bias), heads);
    }
    /// Rows of a key head to those of each query head that reads it.
    Expression of_query_heads(const Expression& x) const;
};

/// "weights_3".
std::string numbered(const char* name, Index number);

/// Assigns x / |x| of each row, 0 for a row of zeros, as `result`, or where that is empty as the direction of
/// `name`.
Expression direction_of(Composer& composer, const std::string& name, const Expression& x,
                        const std::string& result = {});
Expression activated(Activation activation, const Expression& x);
/// Softmax of each row as the tensor `name`; 0 in rows of minus infinity alone.
Expression softmax_of(Composer& composer, const std::string& name, const Expression& scores);
/// The same over the pairs that may meet.
Expression softmax_of_open(Composer& composer, const std::string& name, const Expression& scores);

}  // namespace headlight
