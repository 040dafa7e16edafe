#include "ui/models/comparison_model.h"

#include "core/attention/explain.h"
#include "core/figure/build_figure.h"
#include "ui/models/document.h"

#include <array>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

struct Heading {
    const char* title;
    const char* meaning;
};
// Marked for translation here, translated where they are shown.
constexpr std::array<Heading, ComparisonModel::column_count> headings{{
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Mechanism"),
     QT_TRANSLATE_NOOP("headlight::ComparisonModel", "The session's own mechanism comes first.")},
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Entropy"),
     QT_TRANSLATE_NOOP(
         "headlight::ComparisonModel",
         "How evenly a row spreads its weight, in bits: −Σ a log₂ a, the mean over all rows. 0 when "
         "one key gets everything.")},
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Effective\nkeys"),
     QT_TRANSLATE_NOOP("headlight::ComparisonModel",
                       "As if so many keys shared the weight of a row evenly: 2 to the power of its entropy, "
                       "the mean over all rows.")},
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Exact\nzeros"),
     QT_TRANSLATE_NOOP("headlight::ComparisonModel",
                       "Share of the pairs that the mask allows whose weight is exactly 0.")},
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Mean\ndistance"),
     QT_TRANSLATE_NOOP("headlight::ComparisonModel",
                       "How far a query looks, in tokens: Σ a |i − j|, the mean over all rows.")},
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Row sum"),
     QT_TRANSLATE_NOOP(
         "headlight::ComparisonModel",
         "The lowest and the highest sum of a row's weights. 1 where each row is a probability.")},
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Map"),
     QT_TRANSLATE_NOOP("headlight::ComparisonModel",
                       "Memory of the weights that are formed at once, all heads, 4 bytes a number.")},
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Cache per\ntoken"),
     QT_TRANSLATE_NOOP(
         "headlight::ComparisonModel",
         "What decoding token by token has to keep for each token, 4 bytes a number. “In all”: a state of "
         "fixed size, whatever the number of tokens.")},
    {QT_TRANSLATE_NOOP("headlight::ComparisonModel", "Multiply-\nadds"),
     QT_TRANSLATE_NOOP(
         "headlight::ComparisonModel",
         "Products that are added up in one run: projections, scores and weighted sums. Counted, "
         "not measured.")},
}};

QString title_in_a_line(const char* title) {
    return ComparisonModel::tr(title)
        .replace(QStringLiteral("-\n"), QStringLiteral("-"))
        .replace(u'\n', u' ');
}

const QString absent = QStringLiteral("–");

/// Three digits that count, without an exponent.
QString three_digits(double number) {
    const int before = number < 1 ? 1 : static_cast<int>(std::floor(std::log10(number))) + 1;
    return QString::number(number, 'f', std::max(0, 3 - before));
}

QString number(double value, int decimals) {
    QString text = QString::number(value, 'f', decimals);
    text.replace(QLatin1Char('-'), QChar(0x2212));
    return text;
}

/// "1", "0.5 to 1.2".
QString range(double low, double high) {
    const auto short_number = [](double value) {
        return QString::fromStdString(format_number(std::abs(value - 1) < 5e-4 ? 1 : value, 3));
    };
    const QString from = short_number(low), to = short_number(high);
    return from == to ? from : QStringLiteral("%1–%2").arg(from, to);
}

}  // namespace

QString refusal_text(const Error& refusal) {
    return ComparisonModel::tr("Cannot run: expected %1; got %2")
        .arg(QString::fromStdString(refusal.detail().expected), QString::fromStdString(refusal.detail().got));
}

QString bytes_text(double bytes) {
    constexpr std::array units{"B", "KB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit)
        bytes /= 1024;
    return QStringLiteral("%1 %2").arg(unit == 0 ? QString::number(bytes, 'f', 0) : three_digits(bytes),
                                       QLatin1String(units[unit]));
}

QString count_text(double count) {
    constexpr std::array units{"", " k", " M", " G", " T"};
    std::size_t unit = 0;
    for (; count >= 1000 && unit + 1 < units.size(); ++unit)
        count /= 1000;
    return (unit == 0 ? QString::number(count, 'f', 0) : three_digits(count)) + QLatin1String(units[unit]);
}

ComparisonModel::ComparisonModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
    connect(&document_, &Document::run_changed, this, &ComparisonModel::take_run);
    connect(&document_.looking(), &Looking::view_changed, this, &ComparisonModel::take_head);
    take_head();
    take_run();
}

void ComparisonModel::take_run() {
    const std::shared_ptr<const Run> run = document_.run();
    beginResetModel();
    comparison_ = run ? run->comparison : Comparison();
    endResetModel();
}

void ComparisonModel::take_head() {
    const Index head = document_.session().view.selection.head;
    if (head == head_)
        return;
    head_ = head;
    if (!comparison_.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QString ComparisonModel::text() const {
    QStringList lines;
    for (const std::vector<std::string>& line : lines_of(comparison_table(comparison_, head_))) {
        QStringList fields;
        for (const std::string& field : line)
            fields += QString::fromStdString(field);
        lines += fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(comparison_.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : column_count;
}

QString ComparisonModel::cell(const ComparedRun& compared, Column column) const {
    if (column == name)
        return QString::fromStdString(compared.name);
    if (compared.refusal)
        return column == entropy ? refusal_text(*compared.refusal) : QString();
    if (column == map_bytes)
        return bytes_text(compared.cost.map_bytes);
    if (column == cache_bytes)
        return compared.cost.state_bytes > 0 ? tr("%1 in all").arg(bytes_text(compared.cost.state_bytes))
                                             : bytes_text(compared.cost.cache_bytes);
    if (column == multiply_adds)
        return count_text(compared.cost.multiply_adds);
    const MapStatistics* map = statistics_of(compared, head_);
    if (!map)
        return absent;
    switch (column) {
    case entropy:
        return tr("%1 bits").arg(number(map->entropy / std::numbers::ln2, 2));
    case effective_keys:
        return number(map->effective_keys, 2);
    case exact_zeros:
        return tr("%1 %").arg(number(100 * map->sparsity, 1));
    case distance:
        return number(map->distance, 2);
    case row_sum:
        return range(map->row_sum_low, map->row_sum_high);
    default:
        return {};
    }
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const ComparedRun& compared = comparison_[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return cell(compared, column);
    case Qt::ToolTipRole:
        return compared.refusal ? refusal_text(*compared.refusal)
               : column == name ? cell(compared, column)
                                : headerData(index.column(), Qt::Horizontal, role);
    case Qt::AccessibleTextRole:
        return column == name ? cell(compared, column)
                              : tr("%1 of %2: %3")
                                    .arg(title_in_a_line(headings[static_cast<std::size_t>(column)].title),
                                         cell(compared, name), cell(compared, column));
    case Qt::TextAlignmentRole:
        return QVariant((column == name || compared.refusal ? Qt::AlignLeft : Qt::AlignRight) |
                        Qt::AlignVCenter);
    case RefusalRole:
        return compared.refusal ? refusal_text(*compared.refusal) : QString();
    default:
        return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= column_count)
        return {};
    const Heading& heading = headings[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return tr(heading.title);
    case Qt::ToolTipRole:
        return tr(heading.meaning);
    case Qt::TextAlignmentRole:
        return QVariant((section == name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignBottom);
    default:
        return {};
    }
}

}  // namespace headlight
