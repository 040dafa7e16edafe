#pragma once

#include "core/analysis/cost_growth.h"
#include "core/catalog/search.h"
#include "ui/jobs/latest_job.h"

#include <QSortFilterProxyModel>
#include <QStringList>

#include <map>
#include <optional>
#include <vector>

namespace headlight {

class MechanismModel;

/// Which mechanisms a person wants to see. Everything that is said must hold.
struct MechanismCriteria {
    QString text;    ///< a query of find_mechanisms(); of one's own every word must occur in what they are
    QString family;  ///< empty: all
    std::optional<int> from_year, to_year;
    bool first_course = false;
    bool row_stochastic = false;
    bool causal = false;
    bool sparse = false;
    bool streaming = false;
    bool is_signed = false;
    std::optional<CostGrowth> cost;

    bool operator==(const MechanismCriteria&) const = default;
    /// Something is asked for beside the text: mechanisms of one's own, which declare nothing, are not shown.
    bool asks_for_properties() const;
    /// It has to be known how costs grow.
    bool asks_for_growths() const;
};

/// Those of the teaching path's first part.
bool in_first_course(const Mechanism& mechanism);

/// Whether it is what the criteria ask for, text and cost aside.
bool meets(const Mechanism& mechanism, const MechanismCriteria& criteria);

/// The mechanisms of a tree that meet the criteria, in their families. Where the text found one by something
/// else than its name, the line about it begins with what that is.
class MechanismFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit MechanismFilter(MechanismModel& model, QObject* parent = nullptr);

    const MechanismCriteria& criteria() const { return criteria_; }
    /// How costs grow takes longer to count than a click may: until it is known, a chosen cost leaves all,
    /// and a typed "linear" finds what is called so.
    void set_criteria(const MechanismCriteria& criteria);
    /// Whether rows may come, or go, once it is known how costs grow.
    bool is_counting() const { return criteria_.asks_for_growths() && counting_.is_running(); }
    /// How many mechanisms are left.
    int count() const;
    /// The mechanism that the text most likely means; invalid without one.
    QModelIndex best() const;
    /// The row of the model itself where it is left, else the first one left behind it, else the last before
    /// it; invalid where none is left.
    QModelIndex nearest(const QModelIndex& row_of_model) const;
    QVariant data(const QModelIndex& index, int role) const override;

signals:
    /// It is known how costs grow, and other rows are left.
    void counted();

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    std::vector<const Mechanism*> listed() const;
    /// Whether every word of a row that is one's own is in what it is.
    bool has_every_word(const QModelIndex& own) const;
    bool finds_own() const;
    void search();
    void count_growths();
    const FoundMechanism* found(const Mechanism& mechanism) const;
    /// Nothing as long as it is being counted.
    std::optional<CostGrowth> growth_of(const Mechanism& mechanism) const;

    MechanismModel& model_;
    MechanismCriteria criteria_;
    QStringList words_;                                 ///< of the text
    std::map<const Mechanism*, FoundMechanism> found_;  ///< by the text
    std::map<const Mechanism*, CostGrowth> growths_;    ///< counted when they are first asked for
    LatestJob counting_;
};

}  // namespace headlight
