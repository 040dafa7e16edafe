#pragma once

#include "core/attention/plan.h"
#include "core/attention/trace.h"
#include "ui/jobs/latest_job.h"

#include <QObject>

#include <map>
#include <memory>
#include <string>

namespace headlight {

/// A plan and its trace with every stage.
struct SiteRun {
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<const Trace> trace;  ///< null while it is computed, and where it cannot be
};

/// Compared mechanisms, run once more with every stage: each when it is first asked for, off the UI thread.
class SiteRuns : public QObject {
    Q_OBJECT
public:
    explicit SiteRuns(QObject* parent = nullptr) : QObject(parent) {}

    /// The run of `plan`, which is that of `site`. Its trace is there at once when it takes less than a
    /// frame; else changed() says when it has come.
    SiteRun at(const std::string& site, const std::shared_ptr<const Plan>& plan);
    /// The comparison is another one.
    void clear();

signals:
    void changed();

private:
    void keep(const std::string& site, const std::shared_ptr<const Plan>& plan,
              std::shared_ptr<const Trace> trace);

    std::map<std::string, SiteRun> known_;
    std::string running_;       ///< the site that is being run
    bool is_starting_ = false;  ///< at() itself waits for the result
    LatestJob job_;
};

}  // namespace headlight
