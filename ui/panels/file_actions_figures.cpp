// What leaves the program as a picture or its numbers: exported, copied, printed, cited.

#include "ui/panels/file_actions.h"

#include "core/catalog/bibtex.h"
#include "core/figure/build_figure.h"
#include "core/figure/picture_words.h"
#include "core/figure/view.h"
#include "ui/models/document.h"
#include "ui/models/run_figure.h"
#include "ui/panels/print_preview.h"
#include "ui/render/export.h"
#include "ui/render/side_file.h"
#include "ui/views/motion_clock.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>

#include <optional>

namespace headlight {
namespace {

QString exported_name(const QString& exported) { return QFileInfo(exported).fileName(); }

}  // namespace

void FileActions::export_catalogue(const QString& picture, QWidget& over) {
    ExportDialog* dialog = make_export_dialog(over);
    dialog->choose_catalogue_picture(picture);
    dialog->open();
}

ExportDialog* FileActions::make_export_dialog(QWidget& over) {
    figures_.beginning = figures_beginning();
    auto* dialog = new ExportDialog(document_, figures_, &over);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (exported_as_)
        dialog->choose(*exported_as_);
    connect(dialog, &ExportDialog::exported, this, [this, dialog](const QString& path) {
        figures_.of_views[dialog->view_word()] = path;
        folder_.remember_place_of(path);
        // As wide as hundreds of names are, and of no session that could come back.
        if (dialog->catalogue_picture())
            return emit notice(tr("Exported %1.").arg(exported_name(path)));
        figures_.extension = QFileInfo(path).suffix().toLower();
        exported_as_ = dialog->choices();
        const auto beside = side_file(path.toStdString());
        emit notice(
            dialog->saves_all_maps()
                ? tr("Exported %1. Dropped on the window, it opens as a capture.").arg(exported_name(path))
            : beside
                ? tr("Exported %1, and beside it %2. Dropped on the window, either brings this view back.")
                      .arg(exported_name(path), exported_name(QString::fromStdString(beside->string())))
                : tr("Exported %1. Dropped on the window, it brings this view back.")
                      .arg(exported_name(path)));
    });
    return dialog;
}

void FileActions::copy_figure() {
    const auto run = document_.run();
    if (!run)
        return;
    copying_.start(
        "copy the figure",
        [this, run, shown = document_.snapshot()](const Cancellation&) -> Job::Delivery {
            const auto figure = build_exported_figure(*run, *shown, shown->view.view, FigureTheme::paper);
            ExportOptions options;
            options.dpi = 200;
            return [this, image = render_image(*figure, options),
                    svg = headlight::export_figure(*figure, ExportFormat::svg, options)] {
                auto* data = new QMimeData;
                data->setImageData(image);
                data->setData(QStringLiteral("image/svg+xml"), svg);
                QGuiApplication::clipboard()->setMimeData(data);
                emit notice(tr("The figure is on the clipboard, as a picture and as SVG."));
            };
        },
        [this](const Error& error) { emit problem(error); });
}

void FileActions::copy_numbers() {
    const auto run = document_.run();
    if (!run)
        return;
    copying_.start(
        "copy the numbers",
        [this, run, settings = view_settings(document_.session())](const Cancellation&) -> Job::Delivery {
            const std::string numbers = to_csv(build_run_figure(*run, settings));
            return [this, csv = QString::fromStdString(numbers)] {
                QGuiApplication::clipboard()->setText(csv);
                emit notice(tr("The numbers of this view are on the clipboard, as CSV."));
            };
        },
        [this](const Error& error) { emit problem(error); });
}

void FileActions::copy_words() {
    const auto run = document_.run();
    if (!run)
        return;
    const ViewSettings settings = view_settings(document_.session());
    // What is seen: an open question hides its answer. Views of every head have to be made again.
    const std::shared_ptr<const Figure> seen = document_.figure();
    const bool reads_every_head = view(settings.view).reads_every_head;
    if (!seen && !reads_every_head)
        return emit notice(document_.missing_figure(settings.view));
    if (reads_every_head && document_.asked() && *document_.asked() != settings.view)
        return emit notice(tr("This view is hidden until you answer."));
    const MotionClock& clock = MotionClock::of(document_);
    const auto motion = clock.is_on() ? std::optional(clock.motion()) : std::nullopt;
    copying_.start(
        "copy the picture in words",
        [this, run, settings, seen, motion](const Cancellation&) -> Job::Delivery {
            QStringList lines;
            for (const std::string& line : picture_in_words(seen ? *seen : build_run_figure(*run, settings)))
                lines << QString::fromStdString(line);
            if (motion) {
                lines << QString() << tr("The motion, step by step:");
                for (const std::string& step : motion_in_words(*motion))
                    lines << QString::fromStdString(step);
            }
            return [this, moves = motion.has_value(), text = lines.join(QLatin1Char('\n'))] {
                QGuiApplication::clipboard()->setText(text);
                emit notice(moves ? tr("The picture and its motion are on the clipboard, in words.")
                                  : tr("The picture is on the clipboard, in words."));
            };
        },
        [this](const Error& error) { emit problem(error); });
}

void FileActions::copy_citation() {
    const Session& session = document_.session();
    const Mechanism* attending =
        session.runs_mechanism() && !session.custom ? find_mechanism(session.mechanism) : nullptr;
    const bool has_paper = attending && !attending->papers.empty();
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(has_paper ? bibtex(*attending) : bibtex_of_headlight()));
    emit notice(has_paper ? tr("The citation of %1 and of Headlight is on the clipboard, as BibTeX.")
                                .arg(QString::fromStdString(attending->name))
                          : tr("The citation of Headlight is on the clipboard, as BibTeX. What attends here "
                               "has no paper in the catalogue."));
}

void FileActions::print() {
    const auto run = document_.run();
    if (!run)
        return;
    printing_.start(
        "lay out the page",
        [this, run, shown = document_.snapshot()](const Cancellation&) -> Job::Delivery {
            std::shared_ptr<const Figure> figure =
                build_exported_figure(*run, *shown, shown->view.view, FigureTheme::paper);
            return [this, figure = std::move(figure)] { preview_print(figure, window_); };
        },
        [this](const Error& error) { emit problem(error); });
}

}  // namespace headlight
