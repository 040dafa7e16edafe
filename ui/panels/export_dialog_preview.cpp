// What an export looks like before it is saved: its picture or its text, its size, and whether it can be
// read.

#include "ui/panels/export_dialog.h"

#include "ui/panels/banner.h"

#include <QComboBox>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QRadioButton>
#include <QScreen>
#include <QScrollArea>
#include <QTimer>
#include <QWindow>

namespace headlight {

void ExportDialog::refresh() {
    problem_->hide();  // it was of what has just been changed
    soon_->start();
}

void ExportDialog::preview() {
    const ExportOrder wanted = order();
    save_->setEnabled(wanted.can_be_drawn());
    if (!wanted.can_be_drawn()) {
        previewing_.cancel();
        return show_text(tr("There is no run to show yet"));
    }
    if (wanted.is_of_panels() &&
        (!panels_problem_.isEmpty() || wanted.shown->figure.options.panels.empty())) {
        previewing_.cancel();
        save_->setEnabled(false);
        show_text(tr("Say on each line what a panel shows"));
        if (!panels_problem_.isEmpty())
            show_problem(panels_problem_);
        return;
    }
    const auto refuse = [this](const Error& error) {
        save_->setEnabled(false);
        show_text({});
        show_problem(error_html(error));
    };
    const Exporter& chosen = chosen_exporter();
    if (wanted.all_maps || !chosen.is_picture) {
        size_note_->clear();
        contrast_note_->clear();
        previewing_.start(
            "draw the preview",
            [this, wanted, format = chosen.format,
             path = path().toStdString()](const Cancellation&) -> Job::Delivery {
                return [this, text = wanted.text_preview(format, path)] { show_text(text); };
            },
            refuse);
        return;
    }
    const double scale = devicePixelRatioF();
    PreviewRoom room{.pixels = preview_area_->maximumViewportSize() * scale,
                     .scale = scale,
                     .vision = static_cast<ColourVision>(seen_by_->currentIndex())};
    if (real_size_->isChecked())
        room.width = wanted.options.width_mm ? inches_of(wanted.options) * dots_per_inch(*screen())
                                             : *wanted.options.width_px / scale;
    previewing_.start(
        "draw the preview",
        [this, wanted, room, format = chosen.format](const Cancellation&) -> Job::Delivery {
            return [this, drawn = picture_preview(wanted, format, room), fits = !room.width] {
                show_picture(drawn.image, fits);
                show_size_of(drawn.proportion);
                show_labels(drawn.contrast, drawn.thinned);
                if (!drawn.missing.isEmpty())
                    show_problem(tr("The figure needs %1.").arg(drawn.missing).toHtmlEscaped());
                else if (document_.error())
                    show_problem(tr("What is chosen now cannot run. This is the picture from before."));
            };
        },
        refuse);
}

void ExportDialog::show_size_of(double proportion) {
    const ExportOptions size = options();
    const double millimetres = millimetres_of(size), pixels = inches_of(size) * size.dpi;
    const QString in_print =
        tr("%1 × %2 mm").arg(millimetres, 0, 'f', 1).arg(millimetres * proportion, 0, 'f', 1);
    size_note_->setText(chosen_exporter().is_of_pixels ? tr("%1, %2 × %3 pixels at %4 dpi")
                                                             .arg(in_print)
                                                             .arg(qRound(pixels))
                                                             .arg(qRound(pixels * proportion))
                                                             .arg(size.dpi)
                                                       : in_print);
}

void ExportDialog::show_picture(const QImage& image, bool fits) {
    // What is to fit asks for no room, or the preview could never become smaller again.
    const auto policy = fits ? QSizePolicy::Ignored : QSizePolicy::Preferred;
    preview_->setSizePolicy(policy, policy);
    preview_->setPixmap(QPixmap::fromImage(image));
}

void ExportDialog::show_text(const QString& text) {
    preview_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    preview_->setPixmap({});
    preview_->setText(text);
}

void ExportDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    // Another screen has other pixels.
    connect(windowHandle(), &QWindow::screenChanged, this, &ExportDialog::refresh, Qt::UniqueConnection);
}

void ExportDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    soon_->start();
}

void ExportDialog::show_labels(const LabelContrast& least, const std::string& thinned) {
    const QString ratio = tr("%1 to 1").arg(least.ratio, 0, 'f', 1);
    contrast_note_->setText(least.ratio >= least_readable_contrast
                                ? tr("Every label has a contrast of at least %1.").arg(ratio)
                                : tr("“%1” is hard to read: its contrast is %2, and %3 to 1 are wanted.")
                                      .arg(least.label, ratio)
                                      .arg(least_readable_contrast));
    if (!thinned.empty())
        contrast_note_->setText(tr("%1. %2").arg(QString::fromStdString(thinned), contrast_note_->text()));
}

}  // namespace headlight
