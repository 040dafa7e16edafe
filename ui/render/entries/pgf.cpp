#include "ui/render/exporter_declarations.h"
#include "ui/render/pgf_drawing.h"
#include "ui/render/session_comment.h"

namespace headlight {
namespace {

constexpr char pgf_first_line[] = "% Drawn by Headlight, for LaTeX: \\usepackage{pgf}, then \\input";

QByteArray write_pgf(const Figure& figure, QSizeF points, const ExportOptions& options) {
    // What another package has made of these signs must not matter here.
    return QByteArray(pgf_first_line) +
           "\n\\begingroup\\makeatletter\\catcode`\\<=12\\catcode`\\>=12\\relax%\n" + pgf_macros() +
           pgf_drawing(drawn_items(figure, points, options), points) + "\\endgroup%\n" +
           session_comment(figure.session, "%");
}

}  // namespace

Exporter declare_exporter_pgf() {
    Exporter exporter{ExportFormat::pgf};
    exporter.order = 6;
    exporter.title = "PGF, for a document in LaTeX";
    exporter.about = "PGF is read into a document in LaTeX, which sets its text";
    exporter.is_of_vectors = true;
    exporter.session_in = [](const QByteArray& bytes) {
        return session_in_comment(bytes, pgf_first_line, "%");
    };
    exporter.write = write_pgf;
    return exporter;
}

}  // namespace headlight
