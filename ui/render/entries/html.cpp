#include "ui/render/export_formats.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/figure_style.h"
#include "ui/render/html_figure.h"

namespace headlight {
namespace {

QByteArray write_html(const Figure& figure, QSizeF points, const ExportOptions& options) {
    const QByteArray background = figure_style(figure.theme).background.name().toLatin1();
    return html_page(figure.title, "body { margin: 1em; background: " + background + "; }\n",
                     html_figure(figure, points, options));
}

}  // namespace

Exporter declare_exporter_html() {
    Exporter exporter{ExportFormat::html};
    exporter.order = 4;
    exporter.title = "HTML, to be touched";
    exporter.about = "HTML says the number under the pointer, needs nothing else and no network";
    exporter.is_of_vectors = true;
    exporter.session_in = session_in_html;
    exporter.write = write_html;
    return exporter;
}

}  // namespace headlight
