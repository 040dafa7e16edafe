#pragma once

#include "core/analysis/cost_curve.h"
#include "core/io/session.h"
#include "ui/jobs/latest_job.h"

#include <QAbstractTableModel>
#include <QStringList>

namespace headlight {

/// Which number of a CostPoint is looked at.
enum class CostQuantity { seconds, bytes, map_bytes, multiply_adds };

double CostPoint::*member_of(CostQuantity quantity);
/// "1.23 ms", "64 KB", "12.3 k".
QString quantity_text(CostQuantity quantity, double value);

/// One mechanism and what was measured of it.
struct CostSeries {
    QString name;
    AttentionSpec spec;
    bool is_chosen = false;
    std::vector<CostPoint> points;
    CostCurve::End end = CostCurve::End::none;
    QString refusal;
};

/// Mechanisms that can be ticked, and what their runs take at every length: a row each, the session's own and
/// those it compares first. Measured on a worker, point by point.
class CostStudy : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, exponent, first_length };
    static constexpr Index shortest = 16, longest = 16384;

    explicit CostStudy(QObject* parent = nullptr);
    ~CostStudy() override;

    /// Everything anew: the session's mechanisms are ticked, those of the catalogue are not. What was
    /// measured before of the same mechanisms on vectors of the same width stays, and stays ticked.
    void set_session(const Session& session);
    void set_quantity(CostQuantity quantity);
    CostQuantity quantity() const { return quantity_; }
    /// The length of the last point, in tokens.
    void set_most(Index tokens);
    Index most() const { return most_; }

    const std::vector<CostSeries>& series() const { return series_; }
    /// Whether anything is measured.
    bool has_numbers() const;
    std::optional<PowerLaw> fit(const CostSeries& series) const;
    /// Why lines of what is ticked end early, or are missing: "Selective: ..." each.
    QStringList ends() const;
    /// What was measured, separated by tabs, for a spreadsheet.
    QString text() const;

    bool is_running() const { return job_.is_running(); }
    /// Share of the points that are done, 0 to 1.
    double progress() const;

    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant data(const QModelIndex& index, int role) const final;
    bool setData(const QModelIndex& index, const QVariant& value, int role) final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;
    Qt::ItemFlags flags(const QModelIndex& index) const final;

public slots:
    /// Measures what is ticked, from the shortest length on, all mechanisms at one length before the next.
    void start();
    /// What is measured so far stays.
    void cancel();

signals:
    /// A point has arrived, or something else is shown.
    void changed();
    void running_changed(bool running);

private:
    void take(std::size_t row, std::vector<CostPoint> points, CostCurve::End end, const QString& refusal);
    QString end_text(const CostSeries& series) const;
    Index length_of(int column) const { return shortest << (column - first_length); }

    std::vector<CostSeries> series_;
    CostQuantity quantity_ = CostQuantity::seconds;
    Index most_ = 2048;
    Index width_ = 64;
    std::uint64_t seed_ = 1;
    std::size_t total_ = 0;
    LatestJob job_;  ///< the last member: it waits for its worker before the rest goes
};

}  // namespace headlight
