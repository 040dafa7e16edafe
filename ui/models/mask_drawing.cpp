#include "ui/models/mask_drawing.h"

#include <algorithm>

namespace headlight {

MaskDrawing::MaskDrawing(Index queries, Index keys, QObject* parent)
    : QObject(parent), queries_(queries), keys_(keys), cells_(static_cast<std::size_t>(queries * keys), 1) {}

MaskCounts MaskDrawing::counts() const {
    MaskCounts counts{0, queries_ * keys_, keys_, 0, 0};
    for (Index query = 0; query < queries_; ++query) {
        const auto row = cells().subspan(place(query, 0), static_cast<std::size_t>(keys_));
        const Index seen = std::ranges::count(row, 1);
        counts.allowed += seen;
        counts.least = std::min(counts.least, seen);
        counts.most = std::max(counts.most, seen);
        counts.dead += seen == 0;
    }
    return counts;
}

MatrixMask MaskDrawing::mask() const {
    MatrixMask mask;
    for (Index query = 0; query < queries_; ++query) {
        const auto row = cells().subspan(place(query, 0), static_cast<std::size_t>(keys_));
        mask.allowed.emplace_back(row.begin(), row.end());
    }
    return mask;
}

QRect MaskDrawing::everything() const { return {0, 0, static_cast<int>(keys_), static_cast<int>(queries_)}; }

void MaskDrawing::begin_stroke() {
    constexpr std::size_t longest = 200;
    if (!undone_to_.empty() && undone_to_.back() == cells_)
        return;  // nothing has happened since
    undone_to_.push_back(cells_);
    if (undone_to_.size() > longest)
        undone_to_.erase(undone_to_.begin());
    redone_to_.clear();
}

void MaskDrawing::set(Index query, Index key, bool allow) {
    if (query >= 0 && query < queries_ && key >= 0 && key < keys_)
        cells_[place(query, key)] = allow;
}

void MaskDrawing::draw_line(QPoint from, QPoint to, bool allow) {
    const int steps = std::max({std::abs(to.x() - from.x()), std::abs(to.y() - from.y()), 1});
    for (int step = 0; step <= steps; ++step)
        set(from.y() + (to.y() - from.y()) * step / steps, from.x() + (to.x() - from.x()) * step / steps,
            allow);
    emit changed(QRect(from, from).united(QRect(to, to)) & everything());
}

void MaskDrawing::draw_rectangle(QRect cells, bool allow) {
    cells &= everything();
    for (int query = cells.top(); query <= cells.bottom(); ++query)
        for (int key = cells.left(); key <= cells.right(); ++key)
            set(query, key, allow);
    emit changed(cells);
}

void MaskDrawing::toggle_row(Index query, bool allow) {
    const auto row = cells().subspan(place(query, 0), static_cast<std::size_t>(keys_));
    const bool is_so = std::ranges::count(row, allow ? 1 : 0) == keys_;
    draw_rectangle({0, static_cast<int>(query), static_cast<int>(keys_), 1}, allow != is_so);
}

void MaskDrawing::toggle_column(Index key, bool allow) {
    bool is_so = true;
    for (Index query = 0; query < queries_; ++query)
        is_so = is_so && allowed(query, key) == allow;
    draw_rectangle({static_cast<int>(key), 0, 1, static_cast<int>(queries_)}, allow != is_so);
}

void MaskDrawing::toggle(Index query, Index key) {
    set(query, key, !allowed(query, key));
    emit changed({static_cast<int>(key), static_cast<int>(query), 1, 1});
}

void MaskDrawing::replace(Cells cells) {
    begin_stroke();
    cells_ = std::move(cells);
    emit changed(everything());
}

void MaskDrawing::join(std::span<const std::uint8_t> pattern, MaskJoin how) {
    Cells joined(cells_.size());
    std::ranges::transform(cells_, pattern, joined.begin(), [how](std::uint8_t drawn, std::uint8_t given) {
        switch (how) {
        case MaskJoin::both:
            return static_cast<std::uint8_t>(drawn & given);
        case MaskJoin::either:
            return static_cast<std::uint8_t>(drawn | given);
        case MaskJoin::except:
            return static_cast<std::uint8_t>(drawn & !given);
        case MaskJoin::replace:
            break;
        }
        return given;
    });
    replace(std::move(joined));
}

void MaskDrawing::invert() {
    Cells inverse = cells_;
    for (std::uint8_t& cell : inverse)
        cell = !cell;
    replace(std::move(inverse));
}

void MaskDrawing::fill(bool allow) { replace(Cells(cells_.size(), allow)); }

void MaskDrawing::begin(Cells cells) {
    cells_ = std::move(cells);
    undone_to_.clear();
    redone_to_.clear();
    emit changed(everything());
}

void MaskDrawing::begin_with(const AllowedPairs& allowed) {
    Cells cells(cells_.size());
    for (Index query = 0; query < queries_; ++query)
        std::ranges::copy(allowed.row(query), cells.begin() + query * keys_);
    begin(std::move(cells));
}

void MaskDrawing::begin_with(const MatrixMask& mask) {
    Cells cells(cells_.size(), 1);
    for (Index query = 0; query < std::min(queries_, Index(std::ssize(mask.allowed))); ++query) {
        const auto& row = mask.allowed[static_cast<std::size_t>(query)];
        for (Index key = 0; key < std::min(keys_, Index(std::ssize(row))); ++key)
            cells[place(query, key)] = row[static_cast<std::size_t>(key)];
    }
    begin(std::move(cells));
}

void MaskDrawing::step(std::vector<Cells>& from, std::vector<Cells>& to) {
    if (from.empty())
        return;
    to.push_back(std::exchange(cells_, std::move(from.back())));
    from.pop_back();
    emit changed(everything());
}

void MaskDrawing::undo() { step(undone_to_, redone_to_); }
void MaskDrawing::redo() { step(redone_to_, undone_to_); }

}  // namespace headlight
