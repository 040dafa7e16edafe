#include "core/figure/build_figure.h"
#include "core/figure/panel_part.h"
#include "ui/render/exporter_declarations.h"

namespace headlight {

Exporter declare_exporter_csv() {
    Exporter exporter{ExportFormat::csv};
    exporter.order = 20;
    exporter.title = "CSV, the numbers";
    exporter.about = "CSV is the numbers of the view";
    exporter.is_picture = false;
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions&) {
        return QByteArray::fromStdString(to_csv(with_all_numbers(figure, "write CSV")));
    };
    return exporter;
}

}  // namespace headlight
