#pragma once

#include "core/model/recipe.h"
#include "ui/jobs/latest_job.h"
#include "ui/views/save_path.h"

#include <QObject>

class QFormLayout;
class QLabel;
class QPushButton;

namespace headlight {

class LazyCombo;
class WrappedLabel;

/// The fields of a training for what each layer of a Transformer attends with: all alike, or as a file says
/// (docs/command-line.md, "Layers that differ"). The file that was used last is read again next time.
class TrainingLayers : public QObject {
    Q_OBJECT
public:
    explicit TrainingLayers(WindowSettings& settings, QObject* parent = nullptr);

    void add_rows(QFormLayout& form);
    /// Reads the file that is remembered, if one is.
    void restore();
    /// Reads a file of layers, on a worker. One that cannot be read changes nothing but problem().
    void read(const QString& path);
    /// Shows a list that is in no file; all alike where it is empty.
    void show_list(const LayerList& list);
    void show_for(HostType host);
    /// Whether a file is being read: what is asked for is not known before.
    bool is_reading() const { return reading_.is_running(); }
    /// Why the last file could not be read; empty once something else is chosen.
    const QString& problem() const { return problem_; }
    /// `recipe`, which says its host, with the list in place of its attention if one is asked for.
    Recipe added_to(Recipe recipe) const;

signals:
    void edited();

private:
    void ask_file();
    void take(LayerList list, const QString& choice, const QString& path);
    void ask_for_list(bool asks);
    void show_choice();

    WindowSettings& settings_;
    WorkingFolder folder_;
    LazyCombo* choice_;  ///< all alike; the list, once there is one
    QPushButton* open_;
    QLabel* label_;
    WrappedLabel* said_;  ///< what each layer attends with
    LayerList list_;
    QString path_;  ///< of list_; empty where it is in no file
    QString problem_;
    bool asks_list_ = false;  ///< also while the host can have none
    bool has_layers_ = true;  ///< of the host
    LatestJob reading_;
};

}  // namespace headlight
