#include "ui/render/exporter_declarations.h"
#include "ui/render/session_comment.h"
#include "ui/render/typst_drawing.h"

namespace headlight {
namespace {

constexpr char typst_first_line[] =
    "// Drawn by Headlight, for Typst 0.13 and later: #import \"FILE.typ\": headlight";

QByteArray write_typst(const Figure& figure, QSizeF points, const ExportOptions& options) {
    // A document of its own as well; who imports the name gets nothing of the page.
    return QByteArray(typst_first_line) + "\n" +
           typst_drawing(drawn_items(figure, points, options), points, "headlight") +
           "#set page(width: auto, height: auto, margin: 0pt)\n#headlight\n" +
           session_comment(figure.session, "//");
}

}  // namespace

Exporter declare_exporter_typ() {
    Exporter exporter{ExportFormat::typ};
    exporter.order = 7;
    exporter.title = "Typst, for a document";
    exporter.about = "Typst reads it into a document, which sets its text";
    exporter.is_of_vectors = true;
    exporter.session_in = [](const QByteArray& bytes) {
        return session_in_comment(bytes, typst_first_line, "//");
    };
    exporter.write = write_typst;
    return exporter;
}

}  // namespace headlight
