#include "ui/models/cost_study.h"

#include "core/figure/ticks.h"
#include "core/io/compared_run.h"
#include "core/tensor/error.h"
#include "ui/models/comparison_model.h"
#include "ui/models/counted_text.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

/// Columns of the lengths from the shortest to `most`.
int lengths_to(Index most) {
    int count = 0;
    for (Index tokens = CostStudy::shortest; tokens <= most; tokens *= 2)
        ++count;
    return count;
}

QString seconds_text(double seconds) {
    constexpr std::array units{"s", "ms", "µs", "ns"};
    std::size_t unit = 0;
    for (; seconds < 1 - 1e-9 && unit + 1 < units.size(); ++unit)
        seconds *= 1000;
    const int decimals = seconds < 10 ? 2 : seconds < 100 ? 1 : 0;
    return QStringLiteral("%1 %2").arg(QString::number(seconds, 'f', decimals),
                                       QString::fromUtf8(units[unit]));
}

/// Width of the session's token vectors; that of its settings while it has none.
Index width_of(const Session& session) {
    return session.sequence.file ? session.sequence.file->query.cols() : session.sequence.vectors.dimension;
}

/// In lines of a length that is easily read: a tooltip breaks none.
QString in_lines(const QString& text) {
    constexpr qsizetype most = 70;
    QString lines;
    qsizetype length = 0;
    for (const QString& word : text.split(QLatin1Char(' '))) {
        const bool is_full = length > 0 && length + 1 + word.size() > most;
        lines += length == 0 ? word : (is_full ? QLatin1Char('\n') : QLatin1Char(' ')) + word;
        length = is_full || length == 0 ? word.size() : length + 1 + word.size();
    }
    return lines;
}

}  // namespace

double CostPoint::*member_of(CostQuantity quantity) {
    switch (quantity) {
    case CostQuantity::bytes:
        return &CostPoint::bytes;
    case CostQuantity::map_bytes:
        return &CostPoint::map_bytes;
    case CostQuantity::multiply_adds:
        return &CostPoint::multiply_adds;
    case CostQuantity::seconds:
        break;
    }
    return &CostPoint::seconds;
}

QString quantity_text(CostQuantity quantity, double value) {
    switch (quantity) {
    case CostQuantity::bytes:
    case CostQuantity::map_bytes:
        return bytes_text(value);
    case CostQuantity::multiply_adds:
        return count_text(value);
    case CostQuantity::seconds:
        break;
    }
    return seconds_text(value);
}

CostStudy::CostStudy(QObject* parent) : QAbstractTableModel(parent) {}

CostStudy::~CostStudy() { job_.cancel(); }

void CostStudy::set_session(const Session& session) {
    cancel();
    beginResetModel();
    std::vector<CostSeries> before = std::exchange(series_, {});
    if (width_of(session) != width_)
        before.clear();
    width_ = width_of(session);
    seed_ = session.seed;
    const auto add = [this](const QString& title, bool is_chosen, const auto& spec) {
        try {
            series_.push_back({title, spec(), is_chosen, {}, CostCurve::End::none, {}});
        } catch (const Error&) {
            return;  // a session that cannot run shows that elsewhere
        }
    };
    const std::vector<std::string> names = comparison_names(session);
    add(QString::fromStdString(names.front()), true, [&] { return session_spec(session); });
    for (std::size_t i = 0; i < session.compared.size(); ++i)
        add(QString::fromStdString(names[i + 1]), true,
            [&] { return compared_spec(session, session.compared[i]); });
    for (const Mechanism& other : mechanisms()) {
        if (std::ranges::find(names, other.name) == names.end())
            add(QString::fromStdString(other.name), false, [&] {
                return compared_spec(session, {other.id, {}, {}});
            });
    }
    for (CostSeries& series : series_) {
        const auto same = std::ranges::find_if(before, [&](const CostSeries& old) {
            return !old.points.empty() && old.name == series.name && old.spec == series.spec;
        });
        if (same == before.end())
            continue;
        same->is_chosen = same->is_chosen || series.is_chosen;
        series = std::move(*same);
    }
    endResetModel();
    emit changed();
}

bool CostStudy::has_numbers() const {
    return std::ranges::any_of(series_, [](const CostSeries& series) { return !series.points.empty(); });
}

void CostStudy::set_quantity(CostQuantity quantity) {
    quantity_ = quantity;
    if (!series_.empty())
        emit dataChanged(index(0, exponent), index(rowCount() - 1, columnCount() - 1));
    emit changed();
}

void CostStudy::set_most(Index tokens) {
    if (tokens == most_)
        return;
    const int before = lengths_to(most_), after = lengths_to(tokens);
    if (after > before)
        beginInsertColumns({}, first_length + before, first_length + after - 1);
    else
        beginRemoveColumns({}, first_length + after, first_length + before - 1);
    most_ = tokens;
    after > before ? endInsertColumns() : endRemoveColumns();
    emit changed();
}

std::optional<PowerLaw> CostStudy::fit(const CostSeries& series) const {
    return fit_power_law(series.points, member_of(quantity_));
}

void CostStudy::start() {
    struct Wanted {
        std::size_t row;
        AttentionSpec spec;
    };
    std::vector<Wanted> wanted;
    for (std::size_t row = 0; row < series_.size(); ++row) {
        CostSeries& series = series_[row];
        series.points.clear();
        series.end = CostCurve::End::none;
        series.refusal.clear();
        if (series.is_chosen)
            wanted.push_back({row, series.spec});
    }
    if (!series_.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    emit changed();
    if (wanted.empty())
        return;
    total_ = wanted.size() * static_cast<std::size_t>(lengths_to(most_));
    const CostLimits limits{.least = shortest, .most = most_};
    const auto measure = [this, wanted, limits, width = width_,
                          seed = seed_](const Cancellation& cancellation) -> Job::Delivery {
        std::vector<CostCurve> curves;
        curves.reserve(wanted.size());
        for (const Wanted& job : wanted)
            curves.emplace_back(cost_subject(job.spec, width, seed), limits, seconds_of_work);
        for (Index tokens = limits.least; tokens <= limits.most; tokens *= 2) {
            for (std::size_t i = 0; i < curves.size(); ++i) {
                if (curves[i].is_finished())
                    continue;
                curves[i].measure_next();
                job_.deliver_part(cancellation, [this, row = wanted[i].row, points = curves[i].points(),
                                                 end = curves[i].end(),
                                                 refusal = QString::fromStdString(curves[i].refusal())] {
                    take(row, points, end, refusal);
                });
            }
        }
        return [this] { emit running_changed(false); };
    };
    // What is measured by then stays.
    job_.start("measure the cost", measure, [this](const Error&) { emit running_changed(false); });
    emit running_changed(true);
}

void CostStudy::cancel() {
    const bool was_running = job_.is_running();
    job_.cancel();
    if (was_running)
        emit running_changed(false);
}

void CostStudy::take(std::size_t row, std::vector<CostPoint> points, CostCurve::End end,
                     const QString& refusal) {
    CostSeries& series = series_[row];
    series.points = std::move(points);
    series.end = end;
    series.refusal = refusal;
    emit dataChanged(index(static_cast<int>(row), exponent), index(static_cast<int>(row), columnCount() - 1));
    emit changed();
}

double CostStudy::progress() const {
    if (total_ == 0)
        return 0;
    const auto all = static_cast<std::size_t>(lengths_to(most_));
    std::size_t done = 0;
    for (const CostSeries& series : series_)
        done += series.end != CostCurve::End::none ? all : std::min(all, series.points.size());
    return std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
}

QString CostStudy::text() const {
    const auto plain = [](double value) {
        return QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest);
    };
    QStringList lines;
    QStringList titles{tr("mechanism"), tr("exponent")};
    for (int column = first_length; column < columnCount(); ++column)
        titles += QStringLiteral("n = %1").arg(length_of(column));
    lines += titles.join(QLatin1Char('\t'));
    for (const CostSeries& series : series_) {
        if (series.points.empty())
            continue;
        const auto law = fit(series);
        QStringList line{series.name, law ? plain(law->exponent) : QString()};
        for (const CostPoint& point : series.points)
            line += plain(point.*member_of(quantity_));
        lines += line.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

QStringList CostStudy::ends() const {
    QStringList ends;
    for (const CostSeries& series : series_)
        if (const QString end = end_text(series); series.is_chosen && !end.isEmpty())
            ends += tr("%1: %2").arg(series.name, end);
    return ends;
}

QString CostStudy::end_text(const CostSeries& series) const {
    switch (series.end) {
    case CostCurve::End::slow:
        return tr("Stopped: a run of more tokens takes over 2 seconds");
    case CostCurve::End::large:
        return tr("Stopped: the weights of more tokens would take over 1 GB");
    case CostCurve::End::refused:
        return series.refusal;
    case CostCurve::End::none:
    case CostCurve::End::reached:
        break;
    }
    return {};
}

int CostStudy::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(series_.size());
}

int CostStudy::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : first_length + lengths_to(most_);
}

QVariant CostStudy::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const CostSeries& series = series_[static_cast<std::size_t>(index.row())];
    if (index.column() == name) {
        switch (role) {
        case Qt::DisplayRole:
            return series.name;
        case Qt::CheckStateRole:
            return series.is_chosen ? Qt::Checked : Qt::Unchecked;
        case Qt::ToolTipRole:
            return end_text(series).isEmpty() ? series.name : in_lines(end_text(series));
        default:
            return {};
        }
    }
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return in_lines(end_text(series));
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == exponent) {
        const auto law = fit(series);
        return law ? QString::fromStdString(power_text("n", law->exponent)) : QString();
    }
    const auto point = static_cast<std::size_t>(index.column() - first_length);
    if (point < series.points.size())
        return quantity_text(quantity_, series.points[point].*member_of(quantity_));
    return series.end == CostCurve::End::none || series.points.empty() ? QString() : QStringLiteral("–");
}

bool CostStudy::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != name || role != Qt::CheckStateRole)
        return false;
    series_[static_cast<std::size_t>(index.row())].is_chosen = value.toInt() == Qt::Checked;
    emit dataChanged(index, index);
    emit changed();
    return true;
}

QVariant CostStudy::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == exponent)
        return tr("p of the power n^p that fits the upper half of the points best (least squares of the "
                  "logarithms)");
    if (role != Qt::DisplayRole)
        return {};
    if (section == name)
        return tr("Mechanism");
    return section == exponent ? tr("Grows as") : tr("n = %1").arg(grouped_text(length_of(section)));
}

Qt::ItemFlags CostStudy::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return index.column() == name ? common | Qt::ItemIsUserCheckable : common;
}

}  // namespace headlight
