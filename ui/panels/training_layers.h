#pragma once

#include "core/model/recipe.h"
#include "ui/jobs/latest_job.h"
#include "ui/views/save_path.h"

#include <QObject>

#include <vector>

class QFormLayout;
class QLabel;
class QPushButton;

namespace headlight {

class LazyCombo;
class WrappedLabel;

/// The fields of a training for what each layer of a Transformer attends with: all alike, as in a published
/// model whose layers differ, or as a file says (docs/command-line.md, "Layers that differ"). What was chosen
/// last comes back next time, a file as it is then; it stays in the list while something else is chosen.
class TrainingLayers : public QObject {
    Q_OBJECT
public:
    explicit TrainingLayers(WindowSettings& settings, QObject* parent = nullptr);

    void add_rows(QFormLayout& form);
    /// Chooses the model or reads the file that is remembered, if one is.
    void restore();
    /// Reads a file of layers, on a worker. One that cannot be read changes nothing but problem().
    void read(const QString& path);
    /// Shows a list that is in no file, a model's by its name; all alike where it is empty.
    void show_list(const LayerList& list);
    void show_for(HostType host);
    /// Whether a file that is asked for is being read: what is asked for is not known before.
    bool is_reading() const { return reading_.is_running(); }
    /// Why the last file could not be read; empty once something else is chosen.
    const QString& problem() const { return problem_; }
    /// `recipe`, which says its host, with the list in place of its attention if one is asked for.
    Recipe added_to(Recipe recipe) const;

signals:
    void edited();

private:
    /// A list of layers that the program knows.
    struct Known {
        QString model;
        LayerList list;
    };

    /// Under the families of the catalogue, by their names.
    void add_known();
    /// Lists what a file says, on a worker; one that cannot be read is not listed.
    void offer(const QString& path);
    void ask_file();
    /// `done` once the list is taken.
    void start_reading(LatestJob& job, const QString& path, const std::function<void()>& done,
                       const std::function<void(const Error&)>& failed);
    void take(LayerList list, const QString& choice, const QString& path);
    /// What is asked for from now on: 0 for layers that are all alike, then a number for each of known_, and
    /// one for a list of one's own. It is the data of its row in choice_.
    void ask_for(int number);
    void show_choice();
    int own_number() const { return 1 + static_cast<int>(known_.size()); }
    const LayerList& list() const;

    WindowSettings& settings_;
    WorkingFolder folder_;
    LazyCombo* choice_;  ///< all alike; the list of one's own, once there is one; as in each known model
    QPushButton* open_;
    QLabel* label_;
    WrappedLabel* said_;  ///< what each layer attends with
    std::vector<Known> known_;
    LayerList own_;
    QString path_;  ///< of own_; empty where it is in no file
    QString problem_;
    int asked_ = 0;           ///< see ask_for(); also while the host can have no list
    bool has_layers_ = true;  ///< of the host
    LatestJob reading_, offering_;
};

}  // namespace headlight
