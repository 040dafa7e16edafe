#include "app/cli/render_command.h"

#include "app/cli/all_maps_output.h"
#include "app/cli/arguments.h"
#include "app/cli/asked_maps.h"
#include "app/cli/drawing.h"
#include "app/cli/figure_flags.h"
#include "app/cli/frames.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/render_options.h"
#include "app/cli/render_selection.h"
#include "app/cli/shell_words.h"
#include "app/cli/standard_streams.h"
#include "app/cli/unread_options.h"
#include "core/attention/arithmetic_text.h"
#include "core/figure/apply_options.h"
#include "core/figure/faint_maximum.h"
#include "core/figure/fit_scales.h"
#include "core/figure/opening_query.h"
#include "core/figure/panel_choice.h"
#include "core/figure/view.h"
#include "core/io/figure_source.h"
#include "core/io/files.h"
#include "core/io/headvis_tree.h"
#include "core/io/session_model.h"
#include "core/io/training_record_file.h"
#include "ui/render/export.h"
#include "ui/render/figure_file.h"
#include "ui/render/missing_glyphs.h"
#include "ui/render/side_file.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

namespace headlight {
namespace {

/// Returns the file of the head that --layer and --head name in a HeadVis tree, which is then all that is
/// read.
std::filesystem::path head_file(const Arguments& arguments, const std::filesystem::path& path) {
    const HeadVisTree tree = read_headvis_tree(path);
    const auto named = [&](const char* option, Index otherwise) {
        return arguments.integer(option, otherwise + 1, 1, std::numeric_limits<Index>::max()) - 1;
    };
    const MapPlace first = tree.heads.front();
    return headvis_head_file(tree, {named("--layer", first.layer), named("--head", first.head)});
}

/// A file that a panel is drawn from.
FigureSource panel_source(const std::string& file, ViewKind view) { return read_figure_file(file, view); }

/// Whether a view was refused that needs what its file has not.
bool lacks_view(const Error& error) {
    return error.detail().what == draw_over_image || error.detail().what == draw_queries_and_keys;
}

/// A panel of the command line that asks for what its file does not have is a slip of usage, as an option is.
Figure panels_figure(const Arguments& arguments, const FigureSource& source, const ViewSettings& view) {
    try {
        return figure_of(source, view, panel_source);
    } catch (const Error& error) {
        const bool are_typed = arguments.has("--panel") || arguments.has("--steps") ||
                               arguments.has("--stages") || asked_subject(arguments);
        if (are_typed && (error.detail().what == draw_panel || lacks_view(error)))
            throw UsageError(error);
        throw;
    }
}

/// So is a view of the command line.
Figure view_figure(const Arguments& arguments, const FigureSource& source, const ViewSettings& view) {
    try {
        return plain_figure(source, view);
    } catch (const Error& error) {
        if (arguments.has("--view") && lacks_view(error))
            throw UsageError(error);
        throw;
    }
}

/// With what the arguments choose of it, which must be there.
Figure drawn_figure(const Arguments& arguments, const FigureSource& source, const ViewSettings& view) {
    if (!view.options.panels.empty())
        return panels_figure(arguments, source, view);
    Figure figure = view_figure(arguments, source, view);
    require_chosen(arguments, view, figure);
    apply_options(figure, view);
    complete_large_maps(figure, view.range);
    return figure;
}

/// Neither a figure nor the session beside it takes the place of a file that is read.
void refuse_replacing(const Arguments& arguments, const std::filesystem::path& output,
                      const std::vector<std::filesystem::path>& inputs) {
    refuse_overwriting(arguments, output, inputs);
    if (const auto beside = side_file(output))
        refuse_overwriting(arguments, *beside, inputs);
}

/// "heatmap", "grid", ...: the views that draw maps beside others.
std::vector<std::string> comparing_views() {
    std::vector<std::string> words;
    for (const View& each : views())
        if (each.draws_counterpart())
            words.emplace_back(each.kind.word());
    return words;
}

/// A view that would draw the first maps alone says nothing of the others.
void require_comparing_view(const Arguments& arguments, const ViewSettings& settings) {
    if (!settings.options.panels.empty() || view(settings.view).draws_counterpart())
        return;
    for (const Flag& other : {other_option, other_text_option})
        if (arguments.has(other.name))
            arguments.refuse(other.name, "a view that compares: " + list_of(comparing_views()),
                             '"' + std::string(settings.view.word()) + '"');
}

ColourRange range_as_in(const std::filesystem::path& path) {
    const FigureSource other = read_figure_file(path);
    return drawn_range(figure_of(other, other.view, panel_source), other.view.range);
}

/// All that is known before a figure is drawn.
struct Drawn {
    FigureSource source;
    ViewSettings view;
    ExportOptions size;
    ExportOptions kept_size;  ///< in the session: a figure of a film is of its own size again
};

/// A model's folder says how it looks, not how it learned.
void require_film_in(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored) &&
        !std::filesystem::exists(folder / training_record_name, ignored))
        throw Error({"draw a film", folder.string(),
                     std::string(training_record_name) +
                         " in it, or the file that headlight train TASK --record FILE.safetensors writes",
                     "a folder without one"});
}

Drawn prepared(const Arguments& arguments) {
    std::filesystem::path file = arguments.operands().front();
    const bool is_tree = is_headvis_tree(file);
    if (is_tree)
        file = head_file(arguments, file);
    if (is_film(arguments))
        require_film_in(file);
    const std::optional<FigureOptions> options = figure_options_in_file(arguments);
    Drawn drawn{read_figure_file(file, asked_view(arguments), asked_maps(arguments)), {}, {}, {}};
    FigureSource& source = drawn.source;
    if (is_piped_copy(file) && source.session && source.session->capture)
        source.session.reset();  // nobody finds the file again
    source.view.options = options.value_or(source.view.options);
    source.view.theme = source.theme;
    drawn.view = with_options(arguments, source.view);
    require_comparing_view(arguments, drawn.view);
    if (arguments.has("--panel-columns") && drawn.view.options.panels.empty() &&
        !view(drawn.view.view).all_heads)
        arguments.refuse("--panel-columns",
                         "it beside --panel, or a view of heads side by side, such as grid",
                         '"' + std::string(to_word(drawn.view.view)) + '"');
    if (source.trace) {
        drawn.view = with_selection(arguments, drawn.view, *source.trace, is_tree);
        Selection& selection = drawn.view.selection;
        const bool is_captured = source.session && source.session->capture;
        if (is_captured && selection.query == last_row)  // nobody has chosen one: as in the window
            selection.query = opening_query(*source.trace, selection.site);
    } else if (drawn.view.options.panels.empty())  // of a training, its curves
        drawn.view.options.panels = {{{"view", "learning"}}};
    refuse_unread_options(arguments, source, drawn.view);
    if (!source.trace)  // a session has no place for a training: its panels say where it is
        for (PanelWords& panel : drawn.view.options.panels)
            if (const auto kind = panel.find("view"); kind != panel.end() && kind->second == "learning")
                panel.try_emplace("file", whole_paths(file.string()));
    if (const auto other = range_file(arguments))
        drawn.view.range = range_as_in(*other);
    const bool has_size = source.session && source.session->exported;
    if (has_size)
        drawn.size = *source.session->exported;
    drawn.kept_size = with_size(arguments, drawn.size);
    if (!has_size && arguments.has(frames_option.name) && !arguments.has("--width"))
        drawn.size.dpi = film_dpi;
    drawn.size = with_size(arguments, drawn.size);
    return drawn;
}

/// What there is to say of its letters, once it is written.
void remark_on_fonts(const Figure& figure, const FigureType& type, const std::filesystem::path& output) {
    if (const QString font = QString::fromStdString(type.font);
        !font.isEmpty() && known_family(font).isEmpty())
        remark("This system has no font called " + type.font + "; the program's own stands in its place.");
    if (const QString missing = missing_font_text(text_of(figure));
        !missing.isEmpty() && exporter(export_format(output)).is_picture)
        remark(missing.toStdString());
}

/// What of a picture has no room: the window says it before the figure is saved. True where there is
/// something.
bool remark_on_room(const Figure& figure, const std::filesystem::path& output, const ExportOptions& size) {
    const ExportFormat format = export_format(output);
    const std::string missing = exporter(format).is_picture ? given_way(figure, size) : std::string();
    const std::string illegible = illegible_text(figure, format, size);
    if (!missing.empty())
        remark(missing + '.');
    if (!illegible.empty())
        remark(illegible + ", so that its matrices and labels have room: a larger --width has larger text.");
    return !missing.empty() || !illegible.empty();
}

/// A file of numbers has those of each head, in a table, where a picture has its small map.
void remark_on_maps_left_out(const Figure& figure, const std::filesystem::path& output) {
    const Exporter& written = exporter(export_format(output));
    const bool is_of_numbers = !written.is_picture && !written.needs_session;
    const bool has_small_maps = std::ranges::any_of(
        figure.panels, [](const Panel& panel) { return panel.marks && panel.kind == Panel::Kind::mosaic; });
    if (is_of_numbers && has_small_maps)
        remark("The small maps of every head are not in a file of numbers: --all-maps writes all maps whole, "
               "as .npz or .csv.");
}

/// The notes that a figure is drawn without.
void print_notes_left_out(const Figure& figure, const std::filesystem::path& output,
                          const ExportOptions& size) {
    const std::string notes =
        figure.has_caption ? std::string() : caption_of(figure, export_format(output), size);
    if (!notes.empty())
        remark(notes);
}

/// With the session that the figure then carries.
Figure carried(const Arguments& arguments, Drawn& drawn, const ViewSettings& view) {
    Figure figure = drawn_figure(arguments, drawn.source, view);
    std::optional<Session>& session = drawn.source.session;
    if (session) {
        session->view = view;
        session->figure = view;
        session->exported = drawn.kept_size;
        figure.session = write_session(*session);
    }
    return figure;
}

void export_asked(const Arguments& arguments, const Figure& figure, const std::filesystem::path& output,
                  const ExportOptions& size) {
    if (arguments.has("--strip"))
        export_stripped(figure, output, size);
    else
        export_to_file(figure, output, size);
}

/// What --frames shows, one picture after another: of a training its film.
FilmStrip strip_of(const Arguments& arguments, const Drawn& drawn) {
    const FigureSource& source = drawn.source;
    if (is_film(arguments) && !source.trace)
        return film_of(arguments, source, drawn.view);
    if (is_motion(arguments))
        return motion_of(
            arguments, [&] { return drawn_figure(arguments, source, drawn.view); }, *source.trace,
            drawn.view);
    std::vector<ViewSettings> all = frames(arguments, drawn.view, *source.trace);
    const std::size_t count = all.size();
    return {count, [&arguments, &source, all = std::move(all)](std::size_t number) {
                return drawn_figure(arguments, source, all[number]);
            }};
}

/// A file for each head, step, stage or site.
void render_each(const Arguments& arguments, Drawn& drawn, const std::filesystem::path& output,
                 const std::vector<std::filesystem::path>& inputs) {
    const std::vector<Walked> all = each_of(arguments, drawn.view, *drawn.source.trace);
    const PictureCount count(all.size());
    bool has_said = false;  // once: the others are as crowded
    for (const Walked& one : all) {
        count.show(static_cast<std::size_t>(&one - all.data()) + 1);
        const std::filesystem::path path = numbered(output, one.name);
        refuse_replacing(arguments, path, inputs);
        const Figure figure = carried(arguments, drawn, one.view);
        export_asked(arguments, figure, path, drawn.size);
        remark_on_fonts(figure, one.view.options.type, path);
        if (&one == all.data())
            remark_on_maps_left_out(figure, path);
        print_notes_left_out(figure, path, drawn.size);
        has_said = has_said || remark_on_room(figure, path, drawn.size);
    }
}

/// The file to write, when all is right that can be told before a file is read.
std::filesystem::path checked_output(const Arguments& arguments) {
    if (arguments.operands().empty())
        arguments.refuse("", "a trace, a session or an exported figure", "no file");
    std::filesystem::path output = requested_output(arguments);
    const ExportOptions size;
    const ViewSettings view;
    with_size(arguments, size);
    with_options(arguments, view);
    return output;
}

/// What is drawn, once its files are read.
struct Order {
    std::filesystem::path output;
    std::vector<std::filesystem::path> inputs;
    Drawn drawn;
};

/// The files that the arguments name. `list` is the one that the figure stands in, if it does.
std::vector<std::filesystem::path> named_inputs(const Arguments& arguments,
                                                const std::optional<std::string>& list) {
    std::vector<std::filesystem::path> inputs{arguments.operands().front()};
    if (const auto other = range_file(arguments))
        inputs.push_back(*other);
    if (const auto options = arguments.value("--figure"))
        inputs.emplace_back(*options);
    if (list)
        inputs.emplace_back(*list);
    return inputs;
}

Order read_order(const Arguments& arguments, std::optional<Drawing>& drawing,
                 const std::optional<std::string>& list) {
    const std::filesystem::path output = checked_output(arguments);
    std::vector<std::filesystem::path> inputs = named_inputs(arguments, list);
    refuse_replacing(arguments, output, inputs);
    Drawn drawn = prepared(arguments);
    for (const PanelWords& panel : drawn.view.options.panels)
        if (const auto named = panel.find("file"); named != panel.end())
            std::ranges::copy(panel_files(named->second), std::back_inserter(inputs));
    refuse_replacing(arguments, output, inputs);
    for (const Flag& walking : {each_option, frames_option})
        if (arguments.has(walking.name) && !drawn.source.trace && !is_film(arguments))
            arguments.refuse(walking.name,
                             walking.name == frames_option.name ? "a file with maps, or film for a training"
                                                                : "a file with maps",
                             "a training");
    if (!drawing)
        drawing.emplace();
    require_font(arguments);
    return {output, std::move(inputs), std::move(drawn)};
}

/// Which axis of a capture is which, where nothing was refused.
void say_what_was_read(const Arguments& arguments, const FigureSource& source) {
    if (!source.reading.empty())
        remark(shown_file(arguments.operands().front()).string() + ": " + source.reading);
}

constexpr double dark = 0.05;  // of the colours: the window offers scales earlier, where they cost a click

/// Whether fewer than one number in a hundred has a colour that is told from nothing: as in long texts, whose
/// few larger weights are single pixels.
bool are_nearly_all_dark(const Figure& figure) {
    constexpr double few = 0.01;
    double all = 0, seen = 0;
    for (const Panel& panel : figure.panels) {
        if (panel.thumbnail || panel.kind != Panel::Kind::heatmap || !is_coloured(panel))
            continue;
        for (std::size_t cell = 0; cell < panel.values.size(); ++cell) {
            const bool is_forbidden = cell < panel.forbidden.size() && panel.forbidden[cell] != 0;
            all += is_forbidden ? 0 : 1;
            seen += !is_forbidden && panel.values[cell] >= dark ? 1 : 0;
        }
    }
    return all > 0 && seen < few * all;
}

/// A picture that looks empty, on colours that nobody asked for.
void remark_on_faint_weights(const Arguments& arguments, const Figure& figure,
                             const std::filesystem::path& output) {
    const bool has_cells = std::ranges::any_of(
        figure.panels, [](const Panel& panel) { return panel.kind == Panel::Kind::heatmap; });
    const auto largest = has_cells ? faint_maximum(figure) : std::nullopt;
    if (!largest || arguments.has("--range") || arguments.has("--scale") ||
        !exporter(export_format(output)).is_picture)
        return;
    const std::string said =
        "Weights are small here, at most " + format_number(*largest, 2) + " on colours from 0 to 1: --range ";
    if (*largest < dark)
        remark(said + "fitted or --scale log show them.");
    else if (are_nearly_all_dark(figure))
        remark(said + "p1..p99 or --scale log show them.");
}

void render_one(const Arguments& arguments, std::optional<Drawing>& drawing,
                const std::optional<std::string>& list) {
    if (arguments.has(all_maps_option.name)) {
        const std::filesystem::path output = checked_output(arguments);
        refuse_replacing(arguments, output, named_inputs(arguments, list));
        write_all_maps(arguments, output);
        print_piped_output(output);
        return;
    }
    auto [output, inputs, drawn] = read_order(arguments, drawing, list);
    if (!drawn.source.changed_data.empty())
        remark(drawn.source.changed_data);
    if (arguments.has(each_option.name)) {
        render_each(arguments, drawn, output, inputs);
        say_what_was_read(arguments, drawn.source);
        return;
    }
    Figure figure = carried(arguments, drawn, drawn.view);
    if (arguments.has("--strip") && arguments.has(frames_option.name))
        figure.session.clear();
    if (arguments.has(frames_option.name)) {
        FilmStrip strip = strip_of(arguments, drawn);
        const PictureCount count(strip.count);
        strip.figure = [&count, draw = std::move(strip.figure)](std::size_t number) {
            count.show(number + 1);
            return draw(number);
        };
        export_moving(figure, strip, output, drawn.size, frame_time(arguments));
    } else {
        export_asked(arguments, figure, output, drawn.size);
        remark_on_room(figure, output, drawn.size);
    }
    print_piped_output(output);
    remark_on_fonts(figure, drawn.view.options.type, output);
    say_what_was_read(arguments, drawn.source);
    remark_on_faint_weights(arguments, figure, output);
    print_notes_left_out(figure, output, drawn.size);
    remark_on_maps_left_out(figure, output);
}

/// The files that it writes, when all is right that can be told without writing them.
std::vector<std::filesystem::path> checked_order(const Arguments& arguments, std::optional<Drawing>& drawing,
                                                 const std::string& list) {
    const Order order = read_order(arguments, drawing, list);
    const Drawn& drawn = order.drawn;
    if (!arguments.has(each_option.name)) {
        drawn_figure(arguments, drawn.source, drawn.view);
        if (arguments.has(frames_option.name))
            strip_of(arguments, drawn);
        return {order.output};
    }
    std::vector<std::filesystem::path> outputs;
    for (const Walked& one : each_of(arguments, drawn.view, *drawn.source.trace)) {
        outputs.push_back(numbered(order.output, one.name));
        refuse_replacing(arguments, outputs.back(), order.inputs);
        drawn_figure(arguments, drawn.source, one.view);
    }
    return outputs;
}

constexpr HelpSection render_sections[] = {
    {"What is drawn", "--view"},
    {"Its colours", "--theme"},
    {"Side by side, without some keys, in other units", "--own-scales"},
    {"Many heads at once", "--sort"},
    {"A part of it", "--rows"},
    {"How the figure is set up", "--figure"},
    {"Its size and its file", "--width"},
    {"Several pictures", "--frames"},
    {"And", "--memory"}};
constexpr std::string_view render_examples =
    R"(  headlight render t.json --width 85mm -o figure.pdf
  headlight render capture.npz --layer 2 --view grid -o heads.svg
  headlight render t.json --panel head=1 --panel "view=lines head=2" --letters --width acl-double -o both.pdf
  headlight render capture.npz --layer 1 --head 3 --rows 1..200 -o numbers.csv
  headlight run soft --text "the cat sat" -o - | headlight render - --format svg -o - > map.svg
)";

Command command_of(const RenderOptions& options) {
    return {"render",
            "FILE [options] -o FILE",
            "Draws a trace, a capture, a session, or an exported figure that carries its session or has it "
            "beside it. A FILE that is - is standard input, or output.",
            options.flags,
            1,
            nullptr,
            true,
            render_sections,
            render_examples};
}

/// The files that the lines of a list write, by their whole paths.
class ListOutputs {
public:
    bool contains(const std::filesystem::path& path) const { return paths_.contains(whole(path)); }
    void add(const Arguments& arguments, const std::filesystem::path& path) {
        if (!paths_.insert(whole(path)).second)
            arguments.refuse("-o", "a file for each figure", '"' + excerpt(path.string()) + "\" twice");
    }

private:
    static std::filesystem::path whole(const std::filesystem::path& path) {
        return std::filesystem::absolute(path).lexically_normal();
    }

    std::set<std::filesystem::path> paths_;
};

/// A figure for each line: what stands behind `headlight render`. All lines are read, and then their files,
/// before one is drawn.
void render_list(const Arguments& arguments, const std::string& path) {
    if (!arguments.has_only("--list"))
        arguments.refuse("--list", "it alone: each of its lines has a file, an -o and options",
                         "other words beside it");
    const RenderOptions options;
    const Command command = command_of(options);
    constexpr std::size_t longest_list = std::size_t(4) << 20;
    struct Line {
        std::size_t number;
        Arguments arguments;
    };
    const auto in_line = [&](std::size_t number, const auto& work) {
        try {
            work();
        } catch (const UsageError& error) {
            throw UsageError(error.within(path + ':' + std::to_string(number)));
        } catch (const Error& error) {
            throw error.within(path + ':' + std::to_string(number));
        }
    };
    std::vector<Line> lines;
    ListOutputs outputs;
    std::size_t number = 0;
    for (const std::string& text : lines_in(read_file(path, longest_list)))
        in_line(++number, [&] {
            const std::vector<std::string> words = shell_words(text);
            if (words.empty())
                return;
            lines.push_back({number, Arguments(command, words)});
            for (const char* other : {"--list", "--help"})
                if (lines.back().arguments.has(other))
                    arguments.refuse(other, "a figure's own options", "it in a list");
            const std::filesystem::path output = checked_output(lines.back().arguments);
            if (!lines.back().arguments.has(each_option.name))  // which are named after what the file has
                outputs.add(arguments, output);
        });
    if (lines.empty())
        arguments.refuse("--list", "a line for each figure", "none in " + path);
    std::optional<Drawing> drawing;
    for (const Line& line : lines)
        in_line(line.number, [&] {
            if (std::ranges::any_of(
                    named_inputs(line.arguments, path),
                    [&](const std::filesystem::path& file) { return outputs.contains(file); }))
                return;  // it reads what another line draws
            const MemoryLimit limit(line.arguments.memory());
            const std::vector<std::filesystem::path> written = checked_order(line.arguments, drawing, path);
            if (line.arguments.has(each_option.name))
                for (const std::filesystem::path& file : written)
                    outputs.add(arguments, file);
        });
    const PictureCount count(lines.size());
    for (const Line& line : lines)
        in_line(line.number, [&] {
            count.show(static_cast<std::size_t>(&line - lines.data()) + 1);
            const MemoryLimit limit(line.arguments.memory());
            render_one(line.arguments, drawing, path);
        });
}

int render(const Arguments& arguments) {
    if (const auto list = arguments.value("--list")) {
        render_list(arguments, *list);
        return 0;
    }
    std::optional<Drawing> drawing;
    render_one(arguments, drawing, {});
    return 0;
}

}  // namespace

int render_command(const CommandUse& use) {
    const RenderOptions options;
    return use(command_of(options), render);
}

}  // namespace headlight
