#include "app/cli/list_picture.h"

#include "app/cli/drawing.h"
#include "app/cli/output.h"
#include "app/cli/render_options.h"
#include "app/cli/standard_streams.h"
#include "core/figure/catalogue_figures.h"

namespace headlight {

bool asks_for_picture(const Arguments& arguments) {
    const bool has_timeline = arguments.has("--timeline"), has_tree = arguments.has("--tree");
    if (has_timeline && has_tree)
        arguments.refuse("--tree", "one picture", "--timeline too");
    const bool is_picture = has_timeline || has_tree;
    for (const char* option : {"--theme", "--width", "--dpi", "--output", "--format"})
        if (!is_picture && arguments.has(option))
            arguments.refuse(option, "it beside --timeline or --tree", "neither of them");
    if (is_picture && arguments.has("--json"))
        arguments.refuse("--json", "no picture beside it", has_tree ? "--tree" : "--timeline");
    return is_picture;
}

void write_list_picture(const Arguments& arguments, std::span<const Mechanism> mechanisms) {
    const std::filesystem::path output =
        requested_output(arguments, [](const Exporter& each) { return !each.needs_session; });
    const FigureTheme theme = arguments.word("--theme", FigureTheme::paper);
    const Drawing drawing;
    const ExportOptions size = with_size(arguments, {});
    const Figure figure =
        arguments.has("--tree") ? family_tree_figure(mechanisms, theme) : timeline_figure(mechanisms, theme);
    export_to_file(figure, output, size);
    const std::string illegible = illegible_text(figure, export_format(output), size);
    if (!illegible.empty())
        remark(illegible + ": a larger --width has larger text.");
    print_piped_output(output);
}

}  // namespace headlight
