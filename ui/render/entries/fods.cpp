#include "core/io/program_file.h"
#include "ui/render/exporter_declarations.h"

namespace headlight {

Exporter declare_exporter_fods() {
    Exporter exporter{ExportFormat::fods};
    exporter.order = 23;
    exporter.title = "OpenDocument, a spreadsheet with formulas";
    exporter.about =
        "A spreadsheet computes the trace from token vectors to output, with a formula in each cell";
    exporter.is_picture = false;
    exporter.needs_session = true;
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions&) {
        return QByteArray::fromStdString(write_program(program_of_figure(figure.session), ".fods"));
    };
    return exporter;
}

}  // namespace headlight
