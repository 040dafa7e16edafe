#include "ui/panels/film_panel.h"

#include "core/figure/site_words.h"
#include "core/tensor/error.h"
#include "ui/models/counted_text.h"
#include "ui/panels/film_options_dialog.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"
#include "ui/views/film_view.h"
#include "ui/views/folding_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// What a film has at a step.
Figure film_picture(const std::vector<LearningRun>& runs, Index step, const std::string& site,
                    const ViewSettings& settings, const FilmOptions& options) {
    constexpr int least_for_both = 640;  // pixels: beside each other the words would be too small in fewer
    Figure figure = film_figure(shots_of(runs, step), site, settings);
    if (!options.shows_loss)
        return figure;
    const bool is_narrow = options.width && *options.width < least_for_both;
    return with_loss_curve(std::move(figure), runs, step, is_narrow);
}

}  // namespace

FilmPanel::FilmPanel(QWidget* parent)
    : QWidget(parent), view_(new FilmView), site_(new QComboBox), site_label_(new QLabel(tr("Attention of"))),
      slider_(new QSlider(Qt::Horizontal)), step_(new QLabel), back_(new QToolButton), play_(new QToolButton),
      forward_(new QToolButton), export_(new QPushButton) {
    build();
    refresh();
}

FilmPanel::~FilmPanel() { exporting_.cancel(); }

void FilmPanel::build() {
    describe(view_, QStringLiteral("train_film"), tr("Film of the attention"), {});
    view_->setToolTip({});
    describe(site_, QStringLiteral("train_site"), tr("Attention of"),
             tr("Which place of the model is shown: where the decoder looks at the source (cross), or where "
                "a sequence looks at itself (self)"));
    ignore_passing_wheel(site_);
    site_->setMinimumWidth(100);  // its longest place is long, and the window shall fit a projector
    site_label_->setBuddy(site_);
    describe(slider_, QStringLiteral("train_slider"), tr("Training step of the film"),
             tr("Scrubs through the film; at its right end it stays with what is newest"));
    slider_->setMinimumWidth(80);
    step_->setObjectName(QStringLiteral("train_step"));
    step_->setAccessibleName(tr("Step in view"));
    back_->setText(QStringLiteral("◀"));
    describe(back_, QStringLiteral("train_back"), tr("One frame back"), tr("One frame back"));
    forward_->setText(QStringLiteral("▶"));
    describe(forward_, QStringLiteral("train_forward"), tr("One frame forward"), tr("One frame forward"));
    play_->setText(tr("Play"));
    describe(play_, QStringLiteral("train_play"), tr("Play the film"),
             tr("Shows the film from the step in view, or from its beginning; again to pause"));
    connect(back_, &QToolButton::clicked, this, [this] { step_by(-1); });
    connect(forward_, &QToolButton::clicked, this, [this] { step_by(1); });
    connect(play_, &QToolButton::clicked, this, &FilmPanel::toggle_playing);
    connect(export_, &QPushButton::clicked, this, &FilmPanel::ask_export);
    connect(site_, &QComboBox::activated, this, &FilmPanel::show_figure);
    connect(slider_, &QSlider::valueChanged, this, [this](int step) {
        emit cursor_asked(step == slider_->maximum() ? std::nullopt : std::optional<Index>(step));
    });
    // Keys and the wheel go a frame further at least: fewer steps would snap back to the frame in view.
    connect(slider_, &QSlider::actionTriggered, this, [this] {
        const int asked = slider_->sliderPosition(), here = slider_->value();
        if (slider_->isSliderDown() || asked == here)
            return;
        const int next = frame_beside(asked > here ? 1 : -1);
        slider_->setSliderPosition(asked > here ? std::max(asked, next) : std::min(asked, next));
    });
    export_->setAutoDefault(false);
    constexpr int milliseconds_of_a_frame = 80;
    playing_.setInterval(milliseconds_of_a_frame);
    connect(&playing_, &QTimer::timeout, this, [this] {
        step_by(1);
        if (slider_->value() == slider_->maximum())
            toggle_playing();
    });
    const auto part = [](std::initializer_list<QWidget*> controls) {
        auto* row = new QWidget;
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(6);
        for (QWidget* control : controls)
            line->addWidget(control);
        return std::pair(row, line);
    };
    const auto [player, scrubbing] = part({back_, play_, forward_, slider_, step_});
    const auto [rest, choosing] = part({site_label_, site_, export_});
    scrubbing->addSpacing(8);
    choosing->insertStretch(0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(view_, 1);
    layout->addWidget(new FoldingRow(player, rest));
    show_export(-1);
}

void FilmPanel::show_runs(const ShownRuns& shown, const ViewSettings& settings) {
    shown_ = shown;
    settings_ = settings;
    refresh();
}

void FilmPanel::refresh() {
    const QSignalBlocker quiet(slider_);
    const std::vector<Index> steps = film_steps(shown_.filmed());
    const bool any = !steps.empty();
    slider_->setRange(0, static_cast<int>(std::max<Index>(shown_.newest(), any ? steps.back() : 0)));
    slider_->setPageStep(std::max(1, slider_->maximum() / 10));
    slider_->setValue(static_cast<int>(shown_.step()));
    const Index step = step_in_view(shots_of(shown_.filmed(), shown_.step()), shown_.step());
    step_->setText(tr("step %1").arg(grouped_text(step)));
    for (QWidget* control : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(back_),
                             static_cast<QWidget*>(play_), static_cast<QWidget*>(forward_)})
        control->setEnabled(any);
    export_->setEnabled(any || exporting_.is_running());
    refresh_sites();
    show_figure();
}

void FilmPanel::refresh_sites() {
    QStringList wanted, now;
    bool in_layers = false;
    const auto shots = shots_of(shown_.filmed(), shown_.step());
    for (const FilmShot& shot : shots) {
        if (!shot.frame)
            continue;
        in_layers = in_layers || has_layers(*shot.frame);
        if (const FilmedMap* leading = filmed_map(*shot.frame, {}); leading && wanted.isEmpty())
            wanted << QString::fromStdString(leading->site);
        for (const FilmedMap& map : shot.frame->maps)
            if (const QString site = QString::fromStdString(map.site); !wanted.contains(site))
                wanted << site;
    }
    for (int row = 0; row < site_->count(); ++row)
        now << site_->itemData(row).toString();
    if (wanted != now) {
        const QVariant before = site_->currentData();
        site_->clear();
        for (const QString& site : wanted)
            site_->addItem(QString::fromStdString(site_title(site.toStdString(), in_layers)), site);
        site_->setCurrentIndex(std::max(0, site_->findData(before)));
    }
    site_->setVisible(wanted.size() > 1);
    site_label_->setVisible(wanted.size() > 1);
}

std::string FilmPanel::site() const { return site_->currentData().toString().toStdString(); }

void FilmPanel::show_figure() {
    QString notice = tr("Where the model looks, on the sentence that is filmed, appears here as soon as it "
                        "learns: first everywhere, then at the right word.");
    for (const TrainingRun* run : shown_.runs)
        if (const std::string& problem = run->record()->film_problem; !problem.empty())
            notice = QString::fromStdString(problem);
    try {
        view_->show_figure(film_figure(shots_of(shown_.filmed(), shown_.step()), site(), settings_));
    } catch (...) {
        view_->show_notice(notice);
    }
}

void FilmPanel::step_by(int frames) { slider_->setValue(frame_beside(frames)); }

int FilmPanel::frame_beside(int frames) const {
    const std::vector<Index> steps = film_steps(shown_.filmed());
    if (steps.empty())
        return slider_->value();
    const auto here = std::ranges::upper_bound(steps, shown_.step());  // behind the frame in view
    const auto at = here - steps.begin() - 1 + frames;
    const auto last = std::ssize(steps) - 1;
    const auto next = std::clamp<std::ptrdiff_t>(at, 0, last);
    return next == last ? slider_->maximum() : static_cast<int>(steps[static_cast<std::size_t>(next)]);
}

void FilmPanel::toggle_playing() {
    if (playing_.isActive()) {
        playing_.stop();
    } else {
        if (slider_->value() == slider_->maximum())
            slider_->setValue(0);
        playing_.start();
    }
    play_->setText(playing_.isActive() ? tr("Pause") : tr("Play"));
}

// Export

void FilmPanel::ask_export() {
    if (exporting_.is_running()) {
        exporting_.cancel();
        return show_export(-1);
    }
    if (const auto path = ask_film_file(options_, FilmOptionsDialog::Of::training, this))
        export_to(*path);
}

void FilmPanel::export_to(const QString& path) {
    ViewSettings paper = settings_;
    paper.theme = FigureTheme::paper;
    emit export_began();
    show_export(0);
    const auto write = [this, path, paper, options = options_, site = site(),
                        runs = shown_.filmed()](const Cancellation& cancellation) -> Job::Delivery {
        const std::vector<Index> steps = film_steps(runs);
        const FilmStrip strip{steps.size(), [&](std::size_t number) {
                                  return film_picture(runs, steps[number], site, paper, options);
                              }};
        const auto goes_on = [&](double share) {
            exporting_.deliver_part(cancellation, [this, share] { show_export(share); });
            return !cancellation.requested();
        };
        const std::filesystem::path written = export_film(strip, path.toStdString(), goes_on, options);
        return [this, written] {
            show_export(-1);
            if (!written.empty())
                emit exported(QString::fromStdString(written.string()));
        };
    };
    exporting_.start("export the film", write, [this](const Error& error) {
        show_export(-1);
        emit problem(error);
    });
}

void FilmPanel::show_export(double share) {
    const bool is_exporting = share >= 0;
    export_->setText(is_exporting ? tr("Cancel export (%1 %)").arg(static_cast<int>(100 * share))
                                  : tr("&Export the film…"));
    describe(export_, QStringLiteral("train_export"), tr("Export the film"),
             is_exporting
                 ? tr("Gives it up; nothing is written")
                 : tr("As an animated GIF or as numbered PNG pictures, as large and as long as you say"));
}

}  // namespace headlight
