#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/models/shown_runs.h"
#include "ui/render/film_export.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QToolButton;

namespace headlight {

class FilmView;

/// Where the models of the shown runs look, at a step that a slider scrubs through; played, and exported.
class FilmPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilmPanel(QWidget* parent = nullptr);
    ~FilmPanel() override;

    /// Colours and theme are the settings'.
    void show_runs(const ShownRuns& shown, const ViewSettings& settings);
    const FilmView& view() const { return *view_; }
    /// As a GIF or as numbered pictures, by the name's ending; in the background.
    void export_to(const QString& path);

signals:
    /// The slider was moved there; at the end it stays with what is newest.
    void cursor_asked(std::optional<headlight::Index> step);
    void export_began();
    void exported(const QString& path);
    void problem(const headlight::Error& error);

private:
    void build();
    void refresh();
    void refresh_sites();
    void show_figure();
    std::string site() const;
    /// The value of the slider that many frames further, or back.
    int frame_beside(int frames) const;
    /// To the next frame of the film, or back by one.
    void step_by(int frames);
    void toggle_playing();
    void ask_export();
    void show_export(double share);

    FilmView* view_;
    QComboBox* site_;
    QLabel* site_label_;
    QSlider* slider_;
    QLabel* step_;
    QToolButton *back_, *play_, *forward_;
    QPushButton* export_;
    QTimer playing_;
    ShownRuns shown_;
    ViewSettings settings_;
    FilmOptions options_;
    LatestJob exporting_;
};

}  // namespace headlight
