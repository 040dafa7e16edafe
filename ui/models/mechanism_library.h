#pragma once

#include "core/io/mechanism_file.h"
#include "core/tensor/error.h"
#include "ui/jobs/job_queue.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <vector>

namespace headlight {

/// The mechanisms that a person composed and saved: a folder with a file for each. Reading and writing happen
/// off the UI thread.
class MechanismLibrary : public QObject {
    Q_OBJECT
public:
    explicit MechanismLibrary(std::filesystem::path folder, QObject* parent = nullptr);

    /// By name. Files that are no mechanisms are passed over: opened one by one, they say what is wrong.
    const std::vector<CustomMechanism>& list() const { return list_; }
    const CustomMechanism* find(const QString& name) const;

    /// Adds it, or replaces the one of that name.
    void save(const CustomMechanism& mechanism);
    void remove(const QString& name);

signals:
    void changed();
    void saved(const QString& name);
    void problem(const headlight::Error& error);

private:
    void add(const std::string& name, Job::Work work);
    void take(std::vector<CustomMechanism> list);

    std::filesystem::path folder_;
    std::vector<CustomMechanism> list_;
    JobQueue work_;
};

}  // namespace headlight
