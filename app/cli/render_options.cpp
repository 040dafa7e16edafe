#include "app/cli/render_options.h"

#include "app/cli/all_maps_output.h"
#include "app/cli/asked_maps.h"
#include "app/cli/figure_flags.h"
#include "app/cli/frames.h"
#include "app/cli/hidden_keys.h"
#include "app/cli/offered_words.h"
#include "app/cli/render_selection.h"
#include "app/cli/standard_streams.h"
#include "core/analysis/head_statistics.h"
#include "core/figure/panel_choice.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/io/files.h"
#include "core/io/headvis_tree.h"
#include "core/io/session_words.h"
#include "ui/render/exporter.h"

#include <algorithm>
#include <iterator>

namespace headlight {
namespace {

std::vector<std::string> drawing_words() {
    std::vector<std::string> all = spellings<ViewKind>();
    std::ranges::move(panel_subjects(), std::back_inserter(all));
    return all;
}

/// "png", "svg", ...: endings without their dots.
std::vector<std::string> offered_formats(IsOffered is_offered) {
    std::vector<std::string> words;
    for (const Exporter& each : exporters())
        if (!is_offered || is_offered(each))
            words.emplace_back(each.format.extension());
    return words;
}

std::vector<std::string> format_words() { return offered_formats(nullptr); }

/// Refuses a name of another format than those that are offered.
void require_offered(const Arguments& arguments, const std::string& path, IsOffered is_offered) {
    const std::vector<std::string> known = offered_formats(is_offered);
    const std::string ending = extension_of(path);
    if (std::ranges::none_of(known, [&](const std::string& word) { return '.' + word == ending; }))
        arguments.refuse("-o", "a name that ends in " + extension_list(is_offered),
                         '"' + excerpt(path) + '"');
}

/// The file whose bytes are printed.
std::string printed_output(const Arguments& arguments, IsOffered is_offered) {
    if (arguments.has(each_option.name))
        arguments.refuse("-o", "a file for each picture", "\"-\"");
    const std::string format = arguments.value("--format").value_or("png");
    const std::vector<std::string> known = offered_formats(is_offered);
    if (std::ranges::find(known, format) == known.end())
        arguments.refuse("--format", list_of(known), quoted_with_hint(format, known));
    return piped_output('.' + format);
}

std::string statistic_named(const Arguments& arguments, const std::string& option,
                            const std::string& otherwise) {
    const auto typed = arguments.value(option);
    const std::vector<std::string> names = statistic_names();
    if (typed && !find_statistic(*typed))
        arguments.refuse(option, list_of(names), quoted_with_hint(*typed, names));
    return typed.value_or(otherwise);
}

/// The metrics that the scatter may be asked for: those of the HeadVis tree that is drawn. Nothing of another
/// file, and where none is asked for.
std::optional<std::vector<std::string>> named_metrics(const Arguments& arguments) {
    const bool is_asked = arguments.has("--across") || arguments.has("--up") || arguments.has("--colour");
    if (!is_asked || arguments.operands().empty())
        return std::nullopt;
    const std::filesystem::path file = arguments.operands().front();
    if (is_headvis_tree(file))
        return read_headvis_tree(file).metrics;
    const auto tree = headvis_tree_around(file);
    return tree ? std::optional(tree->metrics) : std::nullopt;
}

std::string metric_named(const Arguments& arguments, const std::string& option,
                         const std::vector<std::string>& metrics, const std::string& otherwise) {
    const auto typed = arguments.value(option);
    if (typed && std::ranges::find(metrics, *typed) == metrics.end())
        arguments.refuse(option, list_of(metrics), quoted_with_hint(*typed, metrics));
    return typed.value_or(otherwise);
}

}  // namespace

RenderOptions::RenderOptions()
    : view_(list_in_words(spellings<ViewKind>(), "or") +
            "; heatmap unless FILE says; or beam, learning or costs"),
      sort_("model_grid: the heads in the order of " + list_of(statistic_names()) +
            "; by layer unless given"),
      theme_(list_of(spellings<FigureTheme>()) + "; paper unless given"),
      width_("85mm, 8.5cm, 3.3in, 1200px, or the name of a place: " + list_of(width_names()) +
             "; what is comfortable to read unless given"),
      dpi_(extension_list([](const Exporter& each) { return each.is_of_pixels; }) + ": dots per inch (300)"),
      vector_cells_(extension_list([](const Exporter& each) { return each.is_of_vectors; }) +
                    ": every cell a rectangle instead of one image"),
      output_("where the figure goes: a name that ends in " + extension_list() +
              "; or - for standard output") {
    flags = {
        {"--view", "VIEW", view_, {}, false, drawing_words},
        {"--site", "SITE",
         "place in a model, as in decoder.1.cross, whose name counts layers from 0, or with --layer encoder, "
         "decoder or cross; the first one unless given"},
        {"--layer", "N",
         "counted from 1, as in the pictures: 2 is decoder.1; mean or maximum of all layers: one map in "
         "place "
         "of theirs, with --site encoder, decoder or cross of that kind"},
        {"--stage", "STAGE", "weights, scores, context, ...: any stage that FILE has"},
        {"--head", "N",
         "counted from 1, as in the pictures; mean or maximum of all heads, or rollout through the layers up "
         "to this one: one map in place of theirs"},
        {"--query", "TOKEN",
         "image, text, query_key, map and a motion: which query looks, by its number from 1 or its name: a "
         "patch as "
         "ROW,COLUMN"},
        {"--step", "N", "newest row of the steps view, counted from 1; the last unless given"},
        {"--theme", "THEME", theme_, {}, false, spellings<FigureTheme>},
        {"--map",
         "NAME",
         "viridis (the default), cividis, magma, greys or diverging",
         {},
         false,
         colour_map_names},
        {"--scale",
         "SCALE",
         "linear (the default) or log",
         {},
         false,
         [] {
             return std::vector<std::string>{"linear", "log"};
         }},
        {"--range",
         "RANGE",
         "unit (0 to 1, the default), fitted to the numbers (the default of a capture, or p1..p99 if it is "
         "large), percentiles of them such as p1..p99, numbers such as 0..0.2, or as:FILE, as a session or "
         "figure has it",
         {},
         false,
         [] {
             return std::vector<std::string>{"unit", "fitted", "p1..p99"};
         }},
        {"--own-scales", "", "compare: each map on a scale of its own"},
        {"--differences", "",
         "compare: how each map differs from the first; with --with, heatmap and grid are"
         " differences without being asked"},
        hide_option,
        weights_option,
        other_option,
        other_text_option,
        units_option,
        spelling_option,
        {"--sort", "STATISTIC", sort_, {}, false, statistic_names},
        {"--framed-by",
         "STATISTIC",
         "model_grid: a frame and a bar for each head, the stronger the larger its number; none unless given",
         {},
         false,
         statistic_names},
        {"--across",
         "STATISTIC",
         "scatter: from left to right (distance), of a HeadVis tree a metric of its own",
         {},
         false,
         statistic_names},
        {"--up", "STATISTIC", "scatter: upwards (entropy), likewise", {}, false, statistic_names},
        {"--colour", "STATISTIC", "scatter: as colour (first_token), likewise", {}, false, statistic_names},
        {"--rows", "A..B",
         "these rows alone, counted from 1; axes: or the name of an axis, head, query, key, d or d_a, the "
         "last "
         "but one of the stage unless given"},
        {"--columns", "A..B", "these columns alone; axes: likewise, the last axis unless given"},
        {"--width", "WIDTH", width_, {}, false, width_names},
        {"--dpi", "N", dpi_},
        {"--vector-cells", "", vector_cells_},
        {"--strip", "",
         "no session in the file or beside it: it cannot be opened again, nor tell what it was made from"},
        frames_option,
        rate_option,
        each_option,
        all_maps_option,
        {"--list",
         "FILE",
         "a figure for each line of FILE, which has what stands behind \"headlight render\"; no other option "
         "beside it",
         {},
         false,
         nullptr,
         Flag::Reads::file},
        memory_option,
        {"--output", "FILE", output_, "-o"},
        {"--format",
         "FORMAT",
         "what -o - writes: the ending of a name, as in svg (png)",
         {},
         false,
         format_words},
        {"--help", "", "this text", "-h"},
    };
    const std::vector<Flag> of_figure = figure_flags();
    const auto size = std::ranges::find(flags, "--width", &Flag::name);
    flags.insert(size, of_figure.begin(), of_figure.end());
}

ExportOptions with_size(const Arguments& arguments, ExportOptions size) try {
    if (arguments.has("--dpi"))
        size.dpi = static_cast<double>(arguments.integer("--dpi", 300, smallest_dpi, largest_dpi));
    size.vector_cells |= arguments.has("--vector-cells");
    if (const auto width = arguments.value("--width"))
        size = parse_width(QString::fromStdString(*width), size);
    return size;
} catch (const UsageError&) {
    throw;
} catch (const Error& error) {
    throw UsageError(error);
}

std::filesystem::path requested_output(const Arguments& arguments, IsOffered is_offered) try {
    auto path = arguments.value("--output");
    if (!path)
        arguments.refuse("-o", "a file named " + extension_list(is_offered) + ", or -", "nothing");
    if (is_offered && !is_standard_stream(*path))
        require_offered(arguments, *path, is_offered);
    if (is_standard_stream(*path))
        path = printed_output(arguments, is_offered);
    else if (arguments.has("--format"))
        arguments.refuse("--format", "it beside -o -", '"' + excerpt(*path) + '"');
    const bool moves = arguments.has(frames_option.name);
    const auto may_be_transparent = [](const Exporter& each) { return each.is_picture && !each.is_opaque; };
    if (arguments.has("--transparent") && (moves || exporter(export_format(*path)).is_opaque))
        arguments.refuse("--transparent",
                         "a picture that stands still, " + extension_list(may_be_transparent),
                         moves ? std::string(frames_option.name) : '"' + excerpt(*path) + '"');
    if (!may_move(exporter(export_format(*path))) && moves)
        arguments.refuse("-o", "a name that ends in " + extension_list(may_move), '"' + excerpt(*path) + '"');
    if (moves && arguments.has(each_option.name))
        arguments.refuse(each_option.name, std::string("no ") + std::string(frames_option.name), "both");
    if (!moves && arguments.has(rate_option.name))
        arguments.refuse(rate_option.name, "it beside --frames", "no --frames");
    return *path;
} catch (const UsageError&) {
    throw;
} catch (const Error& error) {
    throw UsageError(error);
}

std::optional<ViewKind> asked_view(const Arguments& arguments) {
    if (asked_subject(arguments))
        return std::nullopt;
    if (const auto typed = arguments.value("--view")) {
        for (const View& each : views())
            if (each.kind.word() == *typed)
                return each.kind;
        arguments.refuse("--view", list_of(drawing_words()), quoted_with_hint(*typed, drawing_words()));
    }
    return arguments.has("--heads") ? std::optional(ViewKind::grid) : view_of_walk(arguments);
}

std::optional<std::filesystem::path> range_file(const Arguments& arguments) {
    constexpr std::string_view as = "as:";
    const auto word = arguments.value("--range");
    return word && word->starts_with(as) ? std::optional(std::filesystem::path(word->substr(as.size())))
                                         : std::nullopt;
}

ViewSettings with_options(const Arguments& arguments, ViewSettings view) {
    view.view = asked_view(arguments).value_or(view.view);
    view.theme = arguments.word("--theme", view.theme);
    if (const auto word = arguments.value("--range"); word && !range_file(arguments)) {
        const auto range = range_from_word(*word);
        if (!range)
            arguments.refuse("--range", std::string(range_words) + ", or as:FILE", excerpt(*word));
        view.range = *range;
    }
    view.scale =
        arguments.value("--scale") == "log" ? ScaleKind::logarithmic : arguments.word("--scale", view.scale);
    view.weights = arguments.word("--weights", view.weights);
    if (arguments.has("--head"))
        view.pooled = pooled_heads(arguments);
    if (arguments.has("--layer"))
        view.pooled_layers = pooled_layers(arguments);
    view.own_scales |= arguments.has("--own-scales");
    view.differences |= arguments.has("--differences");
    view.colour_map = arguments.value("--map").value_or(view.colour_map);
    view.heads.sorted_by = statistic_named(arguments, "--sort", view.heads.sorted_by);
    view.heads.framed_by = statistic_named(arguments, "--framed-by", view.heads.framed_by);
    if (const auto metrics = named_metrics(arguments)) {
        view.heads.metrics.across = metric_named(arguments, "--across", *metrics, view.heads.metrics.across);
        view.heads.metrics.up = metric_named(arguments, "--up", *metrics, view.heads.metrics.up);
        view.heads.metrics.colour = metric_named(arguments, "--colour", *metrics, view.heads.metrics.colour);
    } else {
        view.heads.across = statistic_named(arguments, "--across", view.heads.across);
        view.heads.up = statistic_named(arguments, "--up", view.heads.up);
        view.heads.colour = statistic_named(arguments, "--colour", view.heads.colour);
    }
    const std::vector<std::string> names = colour_map_names();
    if (std::ranges::find(names, view.colour_map) == names.end())
        arguments.refuse("--map", list_of(names), quoted_with_hint(view.colour_map, names));
    return with_figure_flags(arguments, std::move(view));
}

}  // namespace headlight
