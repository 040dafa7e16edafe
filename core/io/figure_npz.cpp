#include "core/io/figure_npz.h"

#include "core/figure/panel_numbers.h"
#include "core/io/numpy_array.h"
#include "core/io/zip_archive.h"

#include <limits>
#include <vector>

namespace headlight {
namespace {

void append_table_arrays(std::vector<ZipFile>& files, const NumberTable& table) {
    std::vector<double> numbers;
    for (const std::optional<double>& number : table.numbers)
        numbers.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
    const auto lines = static_cast<Index>(table.names.size()), columns = static_cast<Index>(table.columns());
    files.push_back({"table.npy", numpy_array_of({lines, columns}, numbers)});
    files.push_back({"table_names.npy", numpy_array_of(table.names)});
    files.push_back({"table_titles.npy", numpy_array_of(table.titles)});
}

}  // namespace

std::string to_npz(const Figure& figure) {
    std::vector<ZipFile> files;
    std::vector<std::string> titles;
    for (const Panel* panel : panels_with_numbers(figure, "write NPZ")) {
        titles.push_back(own_title(*panel));
        const std::string end = '_' + std::to_string(titles.size()) + ".npy";
        files.push_back({"values" + end, numpy_array_of({panel->rows, panel->columns},
                                                        {panel->values.data(), panel->values.size()})});
        files.push_back({"rows" + end, numpy_array_of(labels_without_spaces(panel->row_axis, panel->rows))});
        files.push_back(
            {"columns" + end, numpy_array_of(labels_without_spaces(panel->column_axis, panel->columns))});
    }
    files.push_back({"titles.npy", numpy_array_of(titles)});
    if (!figure.table.titles.empty())
        append_table_arrays(files, figure.table);
    return zip_archive_of(files);
}

}  // namespace headlight
