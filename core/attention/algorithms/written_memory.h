#pragma once

#include "core/attention/algorithms/channel_maps.h"

#include <utility>

namespace headlight {

// A memory of cells that a head writes to and another reads, a token after another (Graves, Wayne and
// Danihelka 2014; Graves et al. 2016). Weights are rows over the cells, [h, 1, cells].

/// What a head is told beside where its content looks.
struct TapeMove {
    Expression gate, shifts,
        sharpness;  ///< shifts [h, 1, 3], before their softmax: one cell back, none, ahead
};

/// Assigns `focus` with the suffix: content and the focus before it, moved by a cell or not, and sharpened.
inline Expression write_moved_focus(Composer& composer, const std::string& suffix, const Expression& content,
                                    const Expression& before, const TapeMove& move) {
    const Index cells = content.extent().columns;
    const Expression here = composer.let("here" + suffix, move.gate * content + (1 - move.gate) * before,
                                         "between content and the focus before");
    const Expression moves = softmax_of(composer, "shifts" + suffix, move.shifts);
    std::vector<Index> next, previous;
    for (Index cell = 0; cell < cells; ++cell) {
        next.push_back((cell + 1) % cells);
        previous.push_back((cell + cells - 1) % cells);
    }
    const Expression shifted =
        composer.let("shifted" + suffix,
                     some_columns(moves, {0}) * some_columns(here, next) + some_columns(moves, {1}) * here +
                         some_columns(moves, {2}) * some_columns(here, previous),
                     "moved by a cell or not");
    const Expression sharp =
        composer.let("sharpened" + suffix, power_of(shifted / maximum_of_columns(shifted), move.sharpness));
    return composer.let("focus" + suffix, sharp / sum_of_columns(sharp), "where the head reads");
}

/// The memory of all heads while tokens come in.
class WrittenMemory {
public:
    WrittenMemory(Composer& composer, Index cells, bool has_links)
        : composer_(composer), cells_(cells), has_links_(has_links),
          said_(composer.let("memory_controls",
                             composer.projected_by_heads(composer.query_tokens, "W_memory", "b_memory"),
                             "what each token says of both heads")),
          erased_(composer.let(
              "erased_features",
              sigmoid_of(composer.projected_by_heads(composer.query_tokens, "W_erase", "b_erase")),
              "how much of each feature a write takes out")),
          asked_(direction_of(composer, "query", composer.query)),
          sought_(direction_of(composer, "key", composer.key)),
          memory_(filled("memory_0", cells, composer.plan.head_value_width(), "nothing is written yet")),
          written_(has_links ? filled("no_focus", 1, cells, "no cell")
                             : composer.constant(
                                   "first_cell", {composer.heads, 1, cells}, "on the first cell",
                                   [](Index, Index, Index column) { return column == 0 ? 1.0 : 0.0; })),
          read_(written_),
          traces_(composer.constant("traces_0",
                                    {channels_of_values(composer.plan), cells, composer.plan.queries},
                                    "what each cell has of each value", zero)) {
        if (has_links)
            links_.emplace(Links{written_, written_,
                                 filled("links_0", cells, cells, "no cell was written after another")});
    }

    /// Columns of W_memory for each head.
    static Index controls(bool has_links) { return has_links ? 8 : 12; }

    /// Assigns `write_weights`, `read_weights`, `weights` and `context`, which it returns.
    Expression write() {
        std::vector<Expression> writes, reads, maps, contexts;
        for (Index token = 0; token < composer_.plan.queries; ++token) {
            suffix_ = numbered("_", token + 1);
            writes.push_back(take_in(token));
            reads.push_back(look(token));
            contexts.push_back(
                composer_.let("read" + suffix_, product(reads.back(), memory_), "what is read"));
            maps.push_back(composer_.let("read_traces" + suffix_,
                                         product(for_channels(composer_, reads.back()), traces_),
                                         "which values these are"));
        }
        composer_.let("write_weights", all_rows(writes), "where each token is written");
        composer_.let("read_weights", all_rows(reads), "where each token reads");
        write_mean_of_channels(composer_,
                               composer_.let("maps_of_channels", all_rows(maps), "of each feature"));
        return composer_.let("context", all_rows(contexts), "one row below another");
    }

private:
    /// Which cells are in use, and in which order they were written: from the second one to the first.
    struct Links {
        Expression usage, precedence, map;
    };
    static double zero(Index, Index, Index) { return 0; }
    Expression filled(const std::string& name, Index rows, Index columns, const std::string& note) {
        return composer_.constant(name, {composer_.heads, rows, columns}, note, zero);
    }
    Expression control(Index token, Index number, Index count = 1) const {
        return pick(said_, {1, 1, {token}}, {1, count, counted(number, count)});
    }
    /// Softmax over the cells of how alike they are to a vector.
    Expression content(const std::string& name, const Expression& direction, const Expression& strength) {
        const Expression cells = direction_of(composer_, name + "_cells" + suffix_, memory_);
        return softmax_of(composer_, name + "_content" + suffix_,
                          strength * product_transposed(direction, cells));
    }
    TapeMove move(Index token, Index first) const {
        return {sigmoid_of(control(token, first + 1)), control(token, first + 3, 3),
                1 + softplus_of(control(token, first + 2))};
    }

    /// Writes the token and returns where.
    Expression take_in(Index token) {
        const Expression key = some_rows(sought_, {token});
        Expression where(0);
        if (has_links_) {
            const Expression near = content("write", key, 1 + softplus_of(control(token, 1)));
            const Expression free = allocation(token), share = sigmoid_of(control(token, 3));
            where = sigmoid_of(control(token, 4)) * (share * free + (1 - share) * near);
        } else {
            const Expression near = content("write", key, softplus_of(control(token, 6)));
            where = write_moved_focus(composer_, "_write" + suffix_, near, written_, move(token, 6));
        }
        written_ = composer_.let("write" + suffix_, where, "where the token is written");
        const Expression cells = transposed(written_), erased = some_rows(erased_, {token});
        memory_ = composer_.let("memory" + suffix_,
                                memory_ * (1 - cells * erased) + cells * some_rows(composer_.value, {token}),
                                "M (1 − wᵀ e) + wᵀ v");
        const Expression is_token =
            composer_.of_places("is_token" + suffix_, {0, 1, composer_.plan.queries}, "1 for this token",
                                [token](Place at) { return at.column == token ? 1.0 : 0.0; });
        const Expression of_channels = for_channels(composer_, cells);
        traces_ = composer_.let("traces" + suffix_,
                                traces_ * (1 - of_channels * as_channels(composer_, erased)) +
                                    of_channels * is_token,
                                "the same of what each value has given");
        if (links_)
            link();
        return written_;
    }

    /// Cells by how little they are in use, what was read before and is freed taken out.
    Expression allocation(Index token) {
        const Expression kept = 1 - sigmoid_of(control(token, 2)) * read_;
        Links& links = *links_;
        links.usage =
            composer_.let("usage" + suffix_, (links.usage + written_ - links.usage * written_) * kept,
                          "how much each cell is in use");
        const Expression other = transposed(links.usage);
        const Expression is_before =
            composer_.of_places("is_cell_before", {0, cells_, cells_}, "the first of cells in equal use",
                                [](Place at) { return at.column < at.row ? 1.0 : 0.0; });
        const Expression is_less =
            as_number(is_above(other, links.usage)) + as_number(is_equal(other, links.usage)) * is_before;
        const Expression products = composer_.let(
            "less_used" + suffix_, cumulative_product(choose(is_above(is_less, 0.5), links.usage, 1)),
            "how much those are in use that are less so");
        return composer_.let("allocation" + suffix_,
                             (1 - links.usage) * transposed(some_columns(products, {cells_ - 1})),
                             "what is free of each cell, the least used first");
    }

    void link() {
        Links& links = *links_;
        const Expression cells = transposed(written_);
        const Expression is_other =
            composer_.of_places("is_other_cell", {0, cells_, cells_}, "no cell comes after itself",
                                [](Place at) { return at.row == at.column ? 0.0 : 1.0; });
        links.map = composer_.let("links" + suffix_,
                                  is_other * ((1 - cells - written_) * links.map + cells * links.precedence),
                                  "row: the cell that was written next after that of the column");
        links.precedence = composer_.let("precedence" + suffix_,
                                         (1 - sum_of_columns(written_)) * links.precedence + written_,
                                         "the cell that was written last");
    }

    /// Returns where the token reads.
    Expression look(Index token) {
        const Expression query = some_rows(asked_, {token});
        Expression where(0);
        if (links_) {
            const Expression near = content("read", query, 1 + softplus_of(control(token, 0)));
            const Expression modes = softmax_of(composer_, "read_modes" + suffix_, control(token, 5, 3));
            where = some_columns(modes, {0}) * product(read_, links_->map) + some_columns(modes, {1}) * near +
                    some_columns(modes, {2}) * product_transposed(read_, links_->map);
        } else {
            const Expression near = content("read", query, softplus_of(control(token, 0)));
            where = write_moved_focus(composer_, "_read" + suffix_, near, read_, move(token, 0));
        }
        read_ = composer_.let("reading" + suffix_, where, "where the token reads");
        return read_;
    }

    Composer& composer_;
    Index cells_;
    bool has_links_;
    Expression said_, erased_, asked_, sought_, memory_, written_, read_, traces_;
    std::optional<Links> links_;
    std::string suffix_;
};

}  // namespace headlight
