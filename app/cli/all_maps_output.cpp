#include "app/cli/all_maps_output.h"

#include "app/cli/asked_maps.h"
#include "app/cli/maps_source.h"
#include "app/cli/output.h"
#include "app/cli/render_options.h"
#include "app/cli/standard_streams.h"
#include "core/io/all_maps.h"

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
    const bool is_known = may_have_all_maps(output);
    if (const auto typed = arguments.value("--output"); !is_known && typed && is_standard_stream(*typed)) {
        const auto format = arguments.value("--format");
        arguments.refuse("--format", "npz or csv, beside -o -",
                         format ? '"' + excerpt(*format) + '"' : "none");
    }
    if (!is_known)
        arguments.refuse("-o", "a file named .npz or .csv", '"' + excerpt(output.string()) + '"');
    const std::string& file = arguments.operands().front();
    const Capture read = read_maps(file, asked_maps(arguments));
    save_all_maps(read.maps, output);
    if (!read.reading.empty())
        remark(shown_file(file).string() + ": " + read.reading);
}

}  // namespace headlight
