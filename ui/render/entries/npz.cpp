#include "core/figure/panel_part.h"
#include "core/io/figure_npz.h"
#include "ui/render/exporter_declarations.h"

namespace headlight {

Exporter declare_exporter_npz() {
    Exporter exporter{ExportFormat::npz};
    exporter.order = 22;
    exporter.title = "NPZ, numbers for NumPy";
    exporter.about = "NPZ is the numbers of the view in full, as arrays of NumPy";
    exporter.is_picture = false;
    exporter.write = [](const Figure& figure, QSizeF, const ExportOptions&) {
        return QByteArray::fromStdString(to_npz(with_all_numbers(figure, "write NPZ")));
    };
    return exporter;
}

}  // namespace headlight
