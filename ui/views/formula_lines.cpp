#include "ui/views/formula_lines.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <optional>
#include <span>

namespace headlight {
namespace {

// Measures of the typeset formulas, which have 20 units to the em.
constexpr int least_gap = 5;     ///< more than stands between letters: around an operator, between words
constexpr double wide_gap = 11;  ///< more than stands around an operator: between the formulas of a list

bool has_ink(const QImage& image, int column) {
    for (int row = 0; row < image.height(); ++row)
        if (qAlpha(image.pixel(column, row)) != 0)
            return true;
    return false;
}

/// The rows between which the columns `left` to `right` have ink.
QRectF ink_of(const QImage& image, int left, int right) {
    int top = image.height(), bottom = 0;
    for (int row = 0; row < image.height(); ++row) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(row));
        if (std::any_of(line + left, line + right, [](QRgb pixel) { return qAlpha(pixel) != 0; })) {
            top = std::min(top, row);
            bottom = row + 1;
        }
    }
    return QRectF(QPointF(left, top), QPointF(right, bottom));
}

QRectF together(std::span<const FormulaPiece> pieces) {
    QRectF all;
    for (const FormulaPiece& piece : pieces)
        all |= piece.ink;
    return all;
}

/// As much on each line as it holds.
void fill_lines(std::span<const FormulaPiece> pieces, double width, std::vector<QRectF>& lines) {
    std::size_t first = 0;
    for (std::size_t end = 1; end <= pieces.size(); ++end) {
        if (end < pieces.size() && together(pieces.subspan(first, end + 1 - first)).width() <= width)
            continue;
        lines.push_back(together(pieces.subspan(first, end - first)));
        first = end;
    }
}

void add_lines(std::span<const FormulaPiece> pieces, double width, std::vector<QRectF>& lines) {
    const QRectF whole = together(pieces);
    if (whole.width() <= width || pieces.size() < 2) {
        lines.push_back(whole);
        return;
    }
    const auto cut = std::max_element(pieces.begin() + 1, pieces.end(),
                                      [](const auto& a, const auto& b) { return a.gap < b.gap; });
    if (cut->gap < wide_gap) {
        fill_lines(pieces, width, lines);
        return;
    }
    const auto before = static_cast<std::size_t>(cut - pieces.begin());
    add_lines(pieces.first(before), width, lines);
    add_lines(pieces.subspan(before), width, lines);
}

}  // namespace

std::vector<FormulaPiece> formula_pieces(QSvgRenderer& formula) {
    QImage image(formula.defaultSize(), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return {};
    image.fill(Qt::transparent);
    QPainter painter(&image);
    formula.render(&painter);
    painter.end();

    std::vector<FormulaPiece> pieces;
    std::optional<int> begin;
    int end = 0;  // of the ink so far
    const auto finish = [&] {
        const double gap = pieces.empty() ? 0 : *begin - pieces.back().ink.right();
        pieces.push_back({ink_of(image, *begin, end), gap});
    };
    for (int column = 0; column < image.width(); ++column) {
        if (!has_ink(image, column))
            continue;
        if (begin && column - end >= least_gap) {
            finish();
            begin.reset();
        }
        begin = begin.value_or(column);
        end = column + 1;
    }
    if (begin)
        finish();
    return pieces;
}

std::vector<QRectF> formula_lines(const std::vector<FormulaPiece>& pieces, double width) {
    std::vector<QRectF> lines;
    if (!pieces.empty())
        add_lines(pieces, width, lines);
    return lines;
}

}  // namespace headlight
