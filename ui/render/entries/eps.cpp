#include "ui/render/exporter_declarations.h"
#include "ui/render/pdf_library.h"
#include "ui/render/session_comment.h"

namespace headlight {
namespace {

/// The page of the PDF; the session stands in comments of the head, which no interpreter reads.
QByteArray write_eps(const Figure& figure, QSizeF points, const ExportOptions& options) {
    const QByteArray pdf = exporter(ExportFormat::pdf).write(figure, points, options);
    QByteArray eps =
        QByteArray::fromStdString(pdf_library().postscript(pdf.toStdString(), points.width(), points.height()));
    return eps.insert(eps.indexOf("%%EndComments"), session_comment(figure.session, "%"));
}

}  // namespace

Exporter declare_exporter_eps() {
    Exporter exporter{ExportFormat::eps};
    exporter.order = 8;
    exporter.title = "EPS, for older typesetters";
    exporter.about = "EPS keeps the text as text, with its font inside, as PostScript";
    exporter.is_of_vectors = true;
    exporter.session_in = [](const QByteArray& bytes) {
        return session_in_comment(bytes, "%!PS-Adobe-3.0 EPSF-3.0", "%");
    };
    exporter.write = write_eps;
    return exporter;
}

}  // namespace headlight
