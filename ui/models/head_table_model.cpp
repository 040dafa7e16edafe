#include "ui/models/head_table_model.h"

#include "core/figure/notes.h"
#include "core/figure/site_words.h"
#include "core/figure/words.h"
#include "ui/models/document.h"
#include "ui/render/fixed_text.h"

#include <algorithm>
#include <utility>

namespace headlight {

HeadTableModel::HeadTableModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), overviews_(HeadOverviews::of(document)) {
    connect(&overviews_, &HeadOverviews::changed, this, &HeadTableModel::take);
    connect(&overviews_, &HeadOverviews::progressed, this, &HeadTableModel::note_changed);
}

HeadTableModel::~HeadTableModel() { overviews_.set_wanted(this, false); }

void HeadTableModel::set_wanted(bool wanted) {
    overviews_.set_wanted(this, wanted);
    take();  // what is known already: another view may have asked before
}

bool HeadTableModel::is_counting() const { return overviews_.is_running(); }

void HeadTableModel::cancel() { overviews_.cancel(); }

void HeadTableModel::take() {
    const std::shared_ptr<const HeadOverview> known =
        overviews_.overview() && overviews_.overview()->has_statistics ? overviews_.overview() : nullptr;
    if (known != overview_) {
        beginResetModel();
        overview_ = known;
        run_ = overviews_.run();
        has_layers_ = run_ && has_layers(*run_->trace);
        ranges_.assign(head_statistics().size(), std::nullopt);
        // Those that compare stand last.
        statistics_ = overview_ ? known_statistics(overview_->heads) : statistics_;
        for (int row = 0; row < rowCount(); ++row)
            for (std::size_t i = 0; i < ranges_.size(); ++i)
                if (const auto& number = at(row).numbers[i]) {
                    const Range range = ranges_[i].value_or(Range{*number, *number});
                    ranges_[i] = Range{std::min(range.low, *number), std::max(range.high, *number)};
                }
        endResetModel();
    }
    emit note_changed();
}

QString HeadTableModel::note() const {
    if (is_counting()) {
        const int percent = static_cast<int>(100 * overviews_.progress());
        const QString counting = tr("Counting what each head looks at…");
        return percent > 0 ? tr("%1 %2 %").arg(counting).arg(percent) : counting;
    }
    if (!overviews_.refusal().isEmpty())
        return overviews_.refusal();
    return rowCount() == 0 ? tr("Numbers appear here as soon as the first run has finished.") : QString();
}

QString HeadTableModel::hidden_note() const {
    if (!overview_ || overview_->heads.empty())
        return {};
    return QString::fromStdString(hidden_keys_note(
        keys_in_words(*run_->trace, at(0).site, overview_->lens.hidden_keys), overview_->hidden_mass(), true,
        overview_->lens.weights == DrawnWeights::value_norms));
}

std::optional<DistanceBins> HeadTableModel::distance_bins(int row) const {
    const Stage* weights = row < rowCount() ? run_->trace->find("weights", at(row).site) : nullptr;
    return weights && !at(row).distances.empty()
               ? std::optional<DistanceBins>(std::in_place, weights->extent(Axis::query),
                                             weights->extent(Axis::key), at(row).first_place)
               : std::nullopt;
}

bool HeadTableModel::compares() const {
    return !statistics_.empty() && head_statistics()[statistics_.back()].compares;
}

std::optional<std::size_t> HeadTableModel::statistic_of(int column) const {
    const int place = column - first_statistic;
    return place >= 0 && place < std::ssize(statistics_)
               ? std::optional(statistics_[static_cast<std::size_t>(place)])
               : std::nullopt;
}

std::optional<int> HeadTableModel::row_of(const std::string& site, Index head) const {
    for (int row = 0; row < rowCount(); ++row)
        if (at(row).site == site && at(row).place.head == head)
            return row;
    return std::nullopt;
}

std::optional<HeadTableModel::Range> HeadTableModel::range(int column) const {
    const auto statistic = statistic_of(column);
    return statistic && *statistic < ranges_.size() ? ranges_[*statistic] : std::nullopt;
}

std::vector<int> HeadTableModel::histogram(int column, int bins) const {
    const auto ends = range(column);
    if (!ends || !(ends->high > ends->low))
        return {};
    std::vector<int> counts(static_cast<std::size_t>(bins));
    for (int row = 0; row < rowCount(); ++row)
        if (const auto here = number(row, column)) {
            const double share = (*here - ends->low) / (ends->high - ends->low);
            ++counts[static_cast<std::size_t>(std::min(bins - 1, static_cast<int>(share * bins)))];
        }
    return counts;
}

std::optional<double> HeadTableModel::number(int row, int column) const {
    return at(row).numbers[*statistic_of(column)];
}

int HeadTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !overview_ ? 0 : static_cast<int>(overview_->heads.size());
}

int HeadTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : first_statistic + static_cast<int>(statistics_.size());
}

QVariant HeadTableModel::data(const QModelIndex& index, int role) const {
    const int row = index.row(), column = index.column();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (column == place_column ? Qt::AlignLeft : Qt::AlignRight));
    if (column == place_column) {
        if (role == NumberRole)
            return row;
        if (role != Qt::DisplayRole)
            return {};
        const std::string& site = at(row).site;
        const auto head = at(row).place.head + 1;
        return site.empty()
                   ? tr("Head %1").arg(head)
                   : tr("%1, head %2").arg(QString::fromStdString(site_title(site, has_layers_))).arg(head);
    }
    if (column == head_column) {
        const auto shown = static_cast<int>(at(row).place.head) + 1;
        return role == Qt::DisplayRole || role == NumberRole ? shown : QVariant();
    }
    const std::optional<double> here = number(row, column);
    switch (role) {
    case Qt::DisplayRole:
        return here ? legible_text(*here, 3) : QStringLiteral("–");
    case NumberRole:
        return here ? *here : QVariant();
    case ShareRole: {
        const auto ends = range(column);
        return here && ends && ends->high > ends->low ? (*here - ends->low) / (ends->high - ends->low)
                                                      : QVariant();
    }
    default:
        return {};
    }
}

QVariant HeadTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) {
        if (role == Qt::TextAlignmentRole)
            return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignRight);
        if (role != Qt::DisplayRole)
            return {};
        const std::string& site = at(section).site;
        const QString head = QString::number(at(section).place.head + 1);
        return site.empty() ? head
                            : QString::fromStdString(short_site_words(site, has_layers_)) +
                                  QStringLiteral(" · ") + head;
    }
    if (section == place_column || section == head_column) {
        if (role == Qt::DisplayRole)
            return section == place_column ? tr("Place") : tr("Head");
        return {};
    }
    if (role == Qt::InitialSortOrderRole)
        return int(Qt::DescendingOrder);  // who sorts by a number looks for the heads that have most of it
    const HeadStatistic& statistic = head_statistics()[*statistic_of(section)];
    const auto text = [](std::string_view words) {
        return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
    };
    if (role == Qt::DisplayRole)
        return text(statistic.title);
    if (role == Qt::ToolTipRole)
        return tr("%1, the mean over the queries. Of weights that do not sum to 1 or are negative, shares of "
                  "their sizes count; rows of zeros, and rows with a number that is not finite, are left "
                  "out.")
            .arg(text(statistic.shows));
    return {};
}

}  // namespace headlight
