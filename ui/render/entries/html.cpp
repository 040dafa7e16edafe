#include "ui/render/export_formats.h"
#include "ui/render/exporter_declarations.h"
#include "ui/render/figure_style.h"
#include "ui/render/html_figure.h"

namespace headlight {
namespace {

QByteArray write_html(const Figure& figure, QSizeF points, const ExportOptions& options) {
    const QByteArray title = QString::fromStdString(figure.title).toHtmlEscaped().toUtf8();
    const QByteArray background = figure_style(figure.theme).background.name().toLatin1();
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width\"/>\n<meta name=\"generator\" "
           "content=\"Headlight\"/>\n<title>" +
           title + "</title>\n<style>\nbody { margin: 1em; background: " + background + "; }\n" +
           html_style() + "</style>\n</head>\n<body>\n" + html_figure(figure, points, options) +
           "<script>\n" + html_script() + "</script>\n</body>\n</html>\n";
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
