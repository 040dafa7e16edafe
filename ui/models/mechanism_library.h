#pragma once

#include "core/io/mechanism_file.h"
#include "core/tensor/error.h"
#include "ui/jobs/job_queue.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <vector>

namespace headlight {

/// Whether both say the same, one perhaps with options written out that the other leaves to their defaults.
bool same_spec(const AttentionSpec& a, const AttentionSpec& b);

/// The mechanisms that a person composed and saved: a folder with a file for each. In a folder within it are
/// drafts, those that were left without being saved. Reading and writing happen off the UI thread.
class MechanismLibrary : public QObject {
    Q_OBJECT
public:
    explicit MechanismLibrary(std::filesystem::path folder, QObject* parent = nullptr);

    /// By name. Files that are no mechanisms are passed over: opened one by one, they say what is wrong.
    const std::vector<CustomMechanism>& list() const { return kept_.saved; }
    const CustomMechanism* find(const QString& name) const;
    /// Whether it is saved just so.
    bool has(const CustomMechanism& mechanism) const;
    const std::vector<CustomMechanism>& drafts() const { return kept_.drafts; }
    const CustomMechanism* find_draft(const QString& name) const;
    /// Saved or as a draft.
    bool keeps(const QString& name) const { return find(name) || find_draft(name); }
    /// `name`, or "name 2" and so on where one has it already.
    QString free_name(const QString& name) const;

    /// Adds it, or replaces the one of that name, whose draft is gone then.
    void save(const CustomMechanism& mechanism);
    /// Adds it to the drafts, or replaces the one of that name.
    void keep_draft(const CustomMechanism& mechanism);
    /// The saved one and the draft.
    void remove(const QString& name);

signals:
    void changed();
    void saved(const QString& name);
    void problem(const headlight::Error& error);

private:
    struct Kept {
        std::vector<CustomMechanism> saved, drafts;
        bool operator==(const Kept&) const = default;
    };

    static Kept read(const std::filesystem::path& folder);
    void add(const std::string& name, Job::Work work);
    void take(Kept kept);

    std::filesystem::path folder_;
    Kept kept_;
    JobQueue work_;
};

}  // namespace headlight
