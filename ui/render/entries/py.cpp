#include "core/io/program_file.h"
#include "ui/render/exporter_declarations.h"

namespace headlight {

Exporter declare_exporter_py() {
    Exporter exporter{ExportFormat::py};
    exporter.order = 24;
    exporter.title = "Python, the trace in lines of NumPy";
    exporter.about = "Python is the trace as lines of NumPy that run by themselves, with its numbers";
    exporter.is_picture = false;
    exporter.needs_session = true;
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions&) {
        return QByteArray::fromStdString(write_program(program_of_figure(figure.session), ".py"));
    };
    return exporter;
}

}  // namespace headlight
