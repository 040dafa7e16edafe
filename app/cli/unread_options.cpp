#include "app/cli/unread_options.h"

#include "core/figure/panel_choice.h"
#include "core/figure/view.h"

#include <string>
#include <vector>

namespace headlight {
namespace {

/// An option of some views.
struct ViewOption {
    std::string_view name;
    bool (*is_read)(const View& view, const FigureSource& source);
};

bool is_model_grid(const View& view, const FigureSource&) { return view.kind == ViewKind::model_grid; }
bool is_scatter(const View& view, const FigureSource&) { return view.kind == ViewKind::scatter; }

constexpr std::string_view step_option = "--step";
constexpr ViewOption view_options[] = {
    {"--own-scales", [](const View& view,
                        const FigureSource&) { return view.all_sites || view.kind == ViewKind::model_grid; }},
    {"--differences",
     [](const View& view, const FigureSource& source) {
         return view.all_sites || (view.shows_difference && source.untouched);
     }},
    {"--sort", is_model_grid},
    {"--framed-by", is_model_grid},
    {"--across", is_scatter},
    {"--up", is_scatter},
    {"--colour", is_scatter},
    {step_option, [](const View& view, const FigureSource&) { return view.rows_arrive; }},
};

/// What is drawn: the panels of the figure, the first of each strip, or its one view.
std::vector<PanelChoice> drawn_parts(const ViewSettings& settings) {
    std::vector<PanelChoice> parts;
    for (const PanelWords& panel : settings.options.panels)
        parts.push_back(panel_choices(panel, settings).front());
    if (parts.empty())
        parts.emplace_back().view = settings;
    return parts;
}

/// What is drawn first, as it is typed: "heatmap", "costs".
std::string drawn_word(const ViewSettings& settings) {
    if (const auto& panels = settings.options.panels; !panels.empty())
        if (const auto typed = panels.front().find("view"); typed != panels.front().end())
            return typed->second;
    return std::string(settings.view.word());
}

/// The views that read an option.
std::string readers_of(const ViewOption& option, const FigureSource& source) {
    std::vector<std::string> words;
    for (const View& each : views())
        if (option.is_read(each, source))
            words.emplace_back(each.kind.word());
    return list_of(words);
}

}  // namespace

void refuse_unread_options(const Arguments& arguments, const FigureSource& source,
                           const ViewSettings& settings) {
    for (const ViewOption& option : view_options) {
        if (!arguments.has(option.name))
            continue;
        bool is_read = false, has_own_step = false;
        for (const PanelChoice& part : drawn_parts(settings)) {
            const bool reads =
                part.shows == PanelSubject::view && option.is_read(view(part.view.view), source);
            const bool has_own = option.name == step_option && part.step;
            is_read |= reads && !has_own;
            has_own_step |= reads && has_own;
        }
        if (!is_read && has_own_step)
            arguments.refuse(option.name, "a panel without a step of its own", "none");
        if (!is_read)
            arguments.refuse(option.name, "a view that reads it: " + readers_of(option, source),
                             '"' + drawn_word(settings) + '"');
    }
}

}  // namespace headlight
