#include "ui/views/cell_lasso.h"

#include "core/figure/stage_chain.h"
#include "ui/views/cell_text.h"

#include <utility>

namespace headlight {
namespace {

bool are_same_numbers(const Panel& a, const Panel& b) {
    if (a.large.has_value() != b.large.has_value() || a.rows != b.rows || a.columns != b.columns)
        return false;
    if (a.large)
        return a.large->tiles == b.large->tiles && a.large->place == b.large->place &&
               a.large->first_row == b.large->first_row && a.large->first_column == b.large->first_column;
    return a.values.data() == b.values.data() && a.values.size() == b.values.size();
}

bool is_same_block(const MapBlock& a, const MapBlock& b) {
    return a.first_row == b.first_row && a.rows == b.rows && a.first_column == b.first_column &&
           a.columns == b.columns;
}

std::string label_at(const AxisLabels& axis, Index at) {
    return at < std::ssize(axis.labels) ? axis.labels[static_cast<std::size_t>(at)] : std::string();
}

/// "Rows 3 to 7, “the” to “cat”"
QString part_in_words(const AxisLabels& axis, Index first, Index count, const QString& one,
                      const QString& several) {
    const std::string from = label_at(axis, first), to = label_at(axis, first + count - 1);
    QString words = count == 1 ? one.arg(first + 1) : several.arg(first + 1).arg(first + count);
    if (!from.empty() && from != std::to_string(first + 1))
        words += QStringLiteral(", ") +
                 (count == 1 ? quoted_token(from)
                             : CellLasso::tr("%1 to %2").arg(quoted_token(from), quoted_token(to)));
    return words;
}

}  // namespace

void CellLasso::take(const Panel& whole, const MapBlock& block) {
    if (whole_ && are_same_numbers(*whole_, whole) && is_same_block(block_, block))
        return;
    whole_ = whole;
    block_ = block;
    sums_.reset();
    problem_.clear();
    adding_.cancel();
    constexpr std::size_t few = std::size_t(1) << 16;
    if (!whole.large && block.size() <= few) {
        sums_ = block_sums(whole, block);
        return;
    }
    is_taking_ = true;
    adding_.start_in_step(
        "add up the selected numbers",
        [this, panel = whole, block](const Cancellation&) -> Job::Delivery {
            return [this, sums = block_sums(panel, block)] {
                sums_ = sums;
                if (!is_taking_)
                    emit summed();
            };
        },
        [this](const Error& error) {
            problem_ = QString::fromStdString(error.what());
            if (!is_taking_)
                emit summed();
        });
    is_taking_ = false;
}

void CellLasso::release() {
    adding_.cancel();
    whole_.reset();
    block_ = {};
    sums_.reset();
    problem_.clear();
}

QStringList CellLasso::words(const QString& of_largest) const {
    if (!whole_)
        return {};
    QStringList lines{
        part_in_words(whole_->row_axis, block_.first_row, block_.rows, tr("Row %1"), tr("Rows %1 to %2")),
        part_in_words(whole_->column_axis, block_.first_column, block_.columns, tr("Column %1"),
                      tr("Columns %1 to %2"))};
    if (!problem_.isEmpty())
        return lines << problem_;
    if (!sums_)
        return lines << tr("Adding up …");
    const QString sum = readable_number(sums_->sum),
                  mean = readable_number(sums_->sum / static_cast<double>(block_.rows));
    const bool are_weights = is_weight_stage(whole_->stage) && !whole_->transposed;
    lines += are_weights ? tr("Sum %1, a row gives these columns %2 on average").arg(sum, mean)
                         : tr("Sum %1, of a row %2 on average").arg(sum, mean);
    if (sums_->largest && !of_largest.isEmpty())
        lines += tr("Largest: %1").arg(of_largest);
    if (sums_->left_out > 0)
        lines += tr("Of %1 cells %2 are forbidden or have no number")
                     .arg(static_cast<qlonglong>(block_.size()))
                     .arg(sums_->left_out);
    return lines;
}

}  // namespace headlight
