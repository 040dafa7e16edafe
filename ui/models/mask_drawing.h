#pragma once

#include "core/attention/plan.h"

#include <QObject>
#include <QRect>

#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

/// A mask as numbers that a person watches while drawing it.
struct MaskCounts {
    Index allowed = 0, pairs = 0;
    Index least = 0, most = 0;  ///< keys of a query
    Index dead = 0;             ///< queries that may look at no key
};

/// How a pattern joins what is drawn.
enum class MaskJoin {
    replace,
    both,    ///< and: what both allow
    either,  ///< or: what one of them allows
    except,  ///< and not: what is drawn, without the pattern
};

/// A mask that is being drawn, cell by cell, with its own undo.
class MaskDrawing : public QObject {
    Q_OBJECT
public:
    /// Everything allowed.
    MaskDrawing(Index queries, Index keys, QObject* parent = nullptr);

    Index queries() const { return queries_; }
    Index keys() const { return keys_; }
    bool allowed(Index query, Index key) const { return cells_[place(query, key)] != 0; }
    std::span<const std::uint8_t> cells() const { return cells_; }  ///< [query, key], 1 = allowed
    MaskCounts counts() const;
    MatrixMask mask() const;

    /// What follows, until the next one, is one step of undo.
    void begin_stroke();
    /// The cells of a line: a fast hand leaves no gaps.
    void draw_line(QPoint from, QPoint to, bool allow);  ///< x = key, y = query
    void draw_rectangle(QRect cells, bool allow);
    /// A whole row or column: forbids it when all of it is as `allow` has it.
    void toggle_row(Index query, bool allow);
    void toggle_column(Index key, bool allow);
    void toggle(Index query, Index key);

    // Steps of their own.
    void join(std::span<const std::uint8_t> pattern, MaskJoin how);
    void invert();
    void fill(bool allow);

    /// Another mask of these extents, or as much of one as fits, the rest allowed; the strokes before it are
    /// forgotten.
    void begin_with(const AllowedPairs& allowed);
    void begin_with(const MatrixMask& mask);

    bool can_undo() const { return !undone_to_.empty(); }
    bool can_redo() const { return !redone_to_.empty(); }
    void undo();
    void redo();

signals:
    void changed(QRect cells);

private:
    using Cells = std::vector<std::uint8_t>;
    std::size_t place(Index query, Index key) const { return static_cast<std::size_t>(query * keys_ + key); }
    void set(Index query, Index key, bool allow);
    void replace(Cells cells);
    void begin(Cells cells);
    void step(std::vector<Cells>& from, std::vector<Cells>& to);
    QRect everything() const;

    Index queries_, keys_;
    Cells cells_;
    std::vector<Cells> undone_to_, redone_to_;
};

}  // namespace headlight
