#pragma once

#include "core/analysis/head_overview.h"
#include "ui/jobs/latest_job.h"

#include <QObject>

#include <memory>
#include <set>

namespace headlight {

class Document;
struct Run;

/// What is known of every head of the run that a document shows, through the lens of its figure: made off the
/// UI thread and while somebody wants it, the small pictures first. Shared by every view of all heads.
class HeadOverviews : public QObject {
    Q_OBJECT
public:
    /// Returns the overviews of the document; made on first use and owned by it.
    static HeadOverviews& of(Document& document);

    /// Who is shown says so, and when it no longer is: of a run that nobody looks at nothing is kept.
    void set_wanted(const QObject* who, bool wanted);

    /// The newest there is, and of which run; null before the first.
    const std::shared_ptr<const HeadOverview>& overview() const { return overview_; }
    const std::shared_ptr<const Run>& run() const { return run_; }
    bool is_running() const { return job_.is_running(); }
    /// What share of the rows is counted, 0 to 1, while it is running.
    double progress() const { return progress_; }
    /// Gives up the counting until somebody is shown anew who wants it, or something else is to be counted;
    /// the pictures stay.
    void cancel();
    /// Why there is none, in words; empty if there is no reason.
    const QString& refusal() const { return refusal_; }

signals:
    /// overview(), or what there is to say in its place.
    void changed();
    /// progress() has.
    void progressed();

private:
    explicit HeadOverviews(Document& document);
    void make();
    void take(std::shared_ptr<const Run> run, WeightLens lens, std::shared_ptr<const HeadOverview> overview);

    Document& document_;
    std::set<const QObject*> wanted_by_;
    std::shared_ptr<const Run> run_;    ///< that the overview is of
    WeightLens lens_;                   ///< that it is seen through
    std::shared_ptr<const Run> asked_;  ///< that it is being made of, or could not or was not to be
    WeightLens asked_lens_;             ///< and through which
    bool is_cancelled_ = false;         ///< it was not to be
    std::shared_ptr<const HeadOverview> overview_;
    QString refusal_;
    double progress_ = 0;
    LatestJob job_;
};

}  // namespace headlight
