#include "app/cli/all_maps_output.h"

#include "app/cli/asked_maps.h"
#include "app/cli/maps_source.h"
#include "app/cli/render_options.h"
#include "core/io/all_maps.h"
#include "core/io/files.h"

#include <algorithm>

namespace headlight {

void write_all_maps(const Arguments& arguments, const std::filesystem::path& output) {
    const std::vector<std::string> beside{"--units", "--weights", "--memory", "--output", "--format"};
    const RenderOptions known;
    for (const Flag& option : known.flags)
        if (arguments.has(option.name) && option.name != all_maps_option.name &&
            std::ranges::find(beside, option.name) == beside.end())
            arguments.refuse(all_maps_option.name, "nothing beside it but " + list_of(beside),
                             '"' + std::string(option.name) + '"');
    const std::string extension = extension_of(output);
    if (extension != ".npz" && extension != ".csv")
        arguments.refuse("-o", "a file named .npz or .csv", '"' + excerpt(output.string()) + '"');
    const std::vector<LabelledMaps> maps =
        read_maps(arguments.operands().front(), asked_maps(arguments), std::nullopt, std::nullopt);
    write_file_atomically(output, extension == ".csv" ? maps_csv(maps) : maps_npz(maps));
}

}  // namespace headlight
