#pragma once

#include "core/graph/formula_functions.h"
#include "core/graph/formula_numbers.h"
#include "core/graph/formula_spellings.h"
#include "core/tensor/error.h"

#include <map>
#include <set>

namespace headlight {

/// The values of a formula's lines as expressions of a program. Every refusal says where it is.
class FormulaExpressions {
public:
    FormulaExpressions(const FormulaNames& names, Program& program)
        : names_(names), program_(program), numbers_(names) {}

    void add(std::span<const FormulaLine> lines);

private:
    void repeat(const FormulaLine& line);
    void assign(const FormulaLine& line);
    void require_free(const FormulaLine& line) const;
    static bool is_special(const std::string& name);
    /// Refusals of extents say where.
    template <class Make>
    static Expression at(const FormulaPlace& place, const Make& make) {
        try {
            return make();
        } catch (const Error& error) {
            if (error.detail().what == "formula")
                throw;
            refuse_formula(place, error.detail().expected, error.detail().got);
        }
    }
    /// Throws Error as well where it would be too long for whoever reads it operation by operation.
    Expression expression(const FormulaNode& node);
    Expression any_expression(const FormulaNode& node);
    Expression number(const FormulaNode& node);
    Expression truth(const FormulaNode& node);
    Expression named(const FormulaNode& node) const;
    /// own_spelling(), and "k[t]" or "S" of the "k_t" and "S_t" of papers.
    std::string meant_name(const std::string& typed) const;
    Expression joined(const FormulaNode& node);
    static Expression opposite(const Expression& x);
    /// What `make` makes of the values of a sign's two sides; refuses extents that do not meet in the words
    /// of the formula.
    template <class Make>
    Expression meeting(const FormulaNode& node, const Expression& a, const Expression& b,
                       const Make& make) const {
        try {
            return make();
        } catch (const Error& error) {
            if (error.detail().what == "formula")
                throw;
            refuse_extents(node, a, b);
        }
    }
    [[noreturn]] void refuse_extents(const FormulaNode& node, const Expression& a, const Expression& b) const;
    /// How a row of numbers is written that is to have one for each head, "[[[0.5]], [[0.25]]]"; the extents
    /// of it where they are not written out.
    std::string numbers_of_heads(const Expression& row) const;
    /// "q [2, 7, 4]"
    std::string shown(const FormulaNode& node, const Expression& x) const;
    /// "q", "k.T", "W" of W[d, 16]; empty of what has no name.
    std::string short_form(const FormulaNode& node) const;
    bool is_parameter(const FormulaNode& node) const;
    /// How a product of extents that do not meet was perhaps meant, " (with \".T\" they meet)"; empty where
    /// nobody could say.
    std::string product_that_meets(const FormulaNode& node, const Extent& left, const Extent& right) const;
    /// The same of a quotient.
    static std::string quotient_that_meets(const FormulaNode& node, const Extent& divisor);
    /// a @ b.T is one operation.
    Expression multiplied(const FormulaNode& node);
    /// What is multiplied, sorted or turned as a matrix is one already.
    static void require_sums_done(const FormulaNode& node, const Expression& x,
                                  std::string_view example = distances_said_here());
    Expression transposed_of(const FormulaNode& node);
    /// A product with inf is no number where the other value is 0.
    static void require_finite_factor(const FormulaNode& product, const Expression& a, const Expression& b);
    /// One row beside one row is a pair with itself alone, whatever is made of it.
    void require_rows_of_pairs(const FormulaNode& node, const Expression& x) const;

    // Indices.
    Expression indexed(const FormulaNode& node);
    bool is_known(const std::string& name) const;
    Expression declared(const FormulaNode& node);
    /// A parameter may be named with its extents wherever it is named; with others, it is another one.
    std::optional<Expression> declared_again(const FormulaNode& node);
    /// x[:, None], the row of the query, and x[None, :], that of the key.
    static std::optional<Expression> side_of(const Expression& x,
                                             const std::vector<const FormulaNode*>& parts);
    /// One row; zeros before the first, so that what a token takes from those before it is nothing at the
    /// beginning.
    Expression row(const FormulaNode& of, const Expression& x, const FormulaNode& node);
    /// v[d] is no row of the values but the parameter that a paper calls v, and q has no head but its own.
    void require_places(const FormulaNode& node, const Expression& x) const;

    // Calls.
    Expression called(const FormulaNode& node);
    [[noreturn]] void refuse_unknown_function(const FormulaNode& node) const;
    /// As many values as the function takes; one more may be what it has another way of saying.
    void require_values(const FormulaNode& node, const FunctionOfValues& function,
                        const std::vector<const FormulaNode*>& values);
    /// W(d, d), where a parameter was meant.
    void require_no_parameter_called(const FormulaNode& node,
                                     const std::vector<std::string>& functions) const;
    /// softmax(scores, j <= i), where the condition says which of the scores.
    void require_no_mask_given(const FormulaNode& node, const FormulaNode& second);
    /// Python has max of rows and max of two; so has a formula.
    static std::string word_of(const FormulaNode& node);
    static FormulaNode sign_of(const FormulaNode& node, const std::vector<const FormulaNode*>& values);
    /// Functions of each number go through what has [:, None]; others need matrices.
    static void require_elements(const FormulaNode& node, const FunctionOfValues* function,
                                 const Expression& x);
    /// What is added up for one query is made of its row, those of the keys, and of vectors.
    static void require_vectors(const FormulaNode& node, const Expression& x);
    static std::vector<const FormulaNode*> by_place(const FormulaNode& node);
    AlongAxis axis_of(const FormulaNode& node, bool has_axis) const;
    Expression special(const FormulaNode& node);
    /// Written out, or the numbers of a value that follows from places alone.
    Places places(const FormulaNode& node, Index extent, const char* what, bool is_of_rows);
    Expression concatenated(const FormulaNode& node, const std::vector<const FormulaNode*>& values);
    Expression filled_by(const FormulaNode& node, const FormulaNode& first, const FormulaNode& second);
    Expression filled(const Extent& extent, double number);
    /// A constant, once for all that are alike.
    Expression given(const Extent& extent, std::function<double(Index)> number);
    Expression constant(const std::string& name, const FormulaNode& node);

    // scan(S = zeros(d, d), S + k[t].T @ v[t], q[t] @ S)
    Expression scanned(const FormulaNode& node);
    /// A name within a scan that stands for a row of each token, without "[t]".
    bool is_of_all_tokens(const FormulaNode& node, const Expression& x) const;
    /// The same, and no line: one may have as many rows as there are tokens without being of them.
    bool is_known_of_all_tokens(const FormulaNode& node) const;
    /// k.T @ v adds up all tokens where a scan goes from one to the next.
    void require_row_of_token(const FormulaNode& product) const;
    /// A number that two rows make is added to every number of a state, where a matrix was meant.
    void require_matrix_added(const FormulaNode& sum, const Expression& a, const Expression& b) const;
    /// What is made of one token names it.
    void require_token_named(const FormulaNode& value) const;
    Expression state_after(const FormulaNode& node, const std::string& name, const FormulaNode& value,
                           Index token);

    /// A name that neither the formula nor the program has.
    std::string own_name(const std::string& wanted) const;

    struct Assigned {
        Expression value;
        FormulaPlace place;
    };

    const FormulaNames& names_;
    Program& program_;
    FormulaNumbers numbers_;
    std::map<std::string, Assigned> lines_;
    std::map<std::string, Expression> parameters_, scanned_;
    std::map<std::string, DeclaredParameter> declared_;
    std::map<std::string, int> later_;  ///< the line that gives each name its value
    const FormulaLine* line_ = nullptr;
    bool is_repeated_ = false;
};

/// A row of the query or of the key stands in `x`, and nothing has added up what is made of it.
bool has_sides(const Expression& x);

/// Functions that say more than one value: where, of which extents, how often.
std::span<const FormulaFunction> special_formula_functions();

}  // namespace headlight
