#include "core/figure/compose_figure.h"

#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/comparison.h"
#include "core/figure/grid_columns.h"
#include "core/figure/notes.h"
#include "core/figure/site_words.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace headlight {
namespace {

bool may_share_scale(const Panel& panel) {
    return is_coloured(panel) && panel.kind != Panel::Kind::points && !panel.blank;
}

/// What a colour bar of the panel alone would say.
std::string bar_title_of(const Figure& figure, const Panel& panel) {
    if (figure.bar_titled == Figure::BarTitle::none || !is_coloured(panel))
        return {};
    if (!figure.bar_title.empty())
        return figure.bar_title;
    return panel.stage.empty() ? std::string()
                               : in_a_sentence(stage_title_at(panel.stage, panel.site), panel.stage);
}

/// A bar says nothing that stands above its matrix, once that has its name.
void leave_out_repeated(std::vector<Panel>& panels) {
    for (Panel& panel : panels)
        if (!panel.stage.empty() && panel.title == stage_title_at(panel.stage, panel.site) &&
            panel.bar_title == in_a_sentence(panel.title, panel.stage))
            panel.bar_title.clear();
}

std::vector<Panel> composed_panels(FigurePart part) {
    Figure& figure = part.figure;
    const PanelChoice& choice = part.choice;
    std::erase_if(figure.panels, [](const Panel& panel) { return panel.thumbnail || panel.blank; });
    const bool is_one = std::ranges::count(figure.panels, false, &Panel::lies_over) == 1;
    for (Panel& panel : figure.panels) {
        panel.bar_title = bar_title_of(figure, panel);
        panel.has_bar = choice.has_bar && figure.show_colour_bar;
        panel.height = choice.height;
        panel.weight *= choice.width;
        panel.over = choice.over;
        // The titles of a text are what it says, that of a model's map what it shows; whose weights they are
        // stands over it.
        const bool is_map_of_site = panel.flow && !panel.site.empty();
        if (panel.over.empty() && !choice.title && (panel.kind == Panel::Kind::text || is_map_of_site))
            panel.over = figure.title;
        panel.in_focus = false;
        if (is_one && panel.title.empty())
            panel.title = figure.title;
        // That of a difference of heads stands once in a figure of its own.
        panel.subtitle = choice.subtitle.value_or(panel.subtitle.empty() ? figure.subtitle : panel.subtitle);
        if (is_one && !choice.is_of_strip)
            panel.title = choice.title.value_or(panel.title);
        else if (choice.title && panel.over.empty())
            panel.over = *choice.title;  // one for all of them
    }
    return std::move(figure.panels);
}

/// What a panel is of, beside its stage and head.
struct Origin {
    std::string run, source, site;
    bool is_named = false;   ///< by a person, or by what it shows
    bool by_person = false;  ///< named by a person
};

/// The title of a map without what the bar says as well: "head 3 of 8" of "Weights, head 3 of 8".
std::string without_stem(const std::string& title) {
    const std::size_t at = title.find(", ");
    return at == std::string::npos ? "" : title.substr(at + 2);
}

std::string stem_of(const std::string& title) {
    return title.starts_with("Head ") ? std::string() : title.substr(0, title.find(", "));
}

/// Whether its title says of which stage it is, or which of the heads: not what mechanism, site or step.
bool has_stage_title(const Panel& panel) {
    const std::string stem = stem_of(panel.title);
    return stem.empty() || stem == stage_title_at(panel.stage, panel.site) || stem == "Implied weights" ||
           stem == "Value-weighted norms";
}

bool is_of_stage(const Panel& panel) {
    return !panel.stage.empty() && (panel.kind == Panel::Kind::heatmap || panel.kind == Panel::Kind::lines);
}

/// Whether all maps are of one stage, which their bars name. One that a person named may be of any.
bool is_stage_named_by_bars(const std::vector<Panel>& panels, const std::vector<Origin>& origins) {
    std::optional<std::string> stem_of_all;
    for (std::size_t at = 0; at < panels.size(); ++at) {
        const Panel& panel = panels[at];
        const std::string stem = stem_of(panel.title);
        if (!is_of_stage(panel) || origins[at].by_person || stem.empty())
            continue;
        stem_of_all = stem_of_all.value_or(stem);
        if (!panel.has_bar || panel.bar_title != in_a_sentence(stem, panel.stage) || stem != *stem_of_all)
            return false;
    }
    return true;
}

/// Names in the titles of maps what differs between them: whether a model was changed, what it is that
/// attends, and the place in it. "Weights" becomes "Causal attention", or "Causal attention: weights" where
/// no bar says that they are weights. False where nothing differs, so that titles stay as they were.
bool name_by_origin(std::vector<Panel>& panels, const std::vector<Origin>& origins, bool has_bar) {
    std::set<std::string> runs, sources, sites;
    for (std::size_t at = 0; at < panels.size(); ++at)
        if (is_of_stage(panels[at])) {
            runs.insert(origins[at].run);
            sources.insert(origins[at].source);
            sites.insert(origins[at].site);
        }
    sources.erase("");
    if (runs.size() < 2 && sources.size() < 2 && sites.size() < 2)
        return false;
    const bool needs_stem = !has_bar || !is_stage_named_by_bars(panels, origins);
    for (std::size_t at = 0; at < panels.size(); ++at) {
        Panel& panel = panels[at];
        if (!is_of_stage(panel) || origins[at].is_named || !panel.over.empty())
            continue;
        const Origin& origin = origins[at];
        std::string name = join({runs.size() > 1 ? origin.run : "", sources.size() > 1 ? origin.source : "",
                                 sites.size() > 1 ? short_site_words(origin.site, true) : ""},
                                ", ");
        if (name.empty())
            continue;
        name = capitalized(std::move(name));
        const bool has_stem = !stem_of(panel.title).empty();
        if (needs_stem && has_stem)
            panel.title = name + ": " + in_a_sentence(panel.title, panel.stage);
        else
            panel.title = join(
                {name, has_stem ? without_stem(panel.title) : in_a_sentence(panel.title, panel.stage)}, ", ");
    }
    return true;
}

/// "Weights, head 3 of 8" becomes "Head 3" where all panels show the same of several heads: what it is of
/// them all stands beside the bar.
void name_by_heads(std::vector<Panel>& panels) {
    const std::string& first = panels.front().title;
    const std::size_t at = first.find(", head ");
    if (at == std::string::npos || at == 0)
        return;
    const std::string stem = first.substr(0, at);
    std::set<Index> heads;
    for (const Panel& panel : panels) {
        const std::string number = std::to_string(panel.head + 1);
        const bool is_of_head = panel.title.starts_with(stem + ", head " + number + " of ");
        const bool is_named_elsewhere = panel.has_bar && panel.bar_title == in_a_sentence(stem, panel.stage);
        if (!is_of_head || !is_named_elsewhere || panel.site != panels.front().site ||
            !heads.insert(panel.head).second)
            return;
    }
    if (panels.size() > 1)
        for (Panel& panel : panels)
            panel.title = "Head " + std::to_string(panel.head + 1);
}

/// One scale for the panels of each name.
void share_named_scales(std::vector<Panel>& panels, const std::vector<std::string>& names) {
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t at = 0; at < panels.size(); ++at)
        if (!names[at].empty() && may_share_scale(panels[at]))
            groups[names[at]].push_back(at);
    for (const auto& [name, members] : groups) {
        std::vector<Panel> together;
        for (const std::size_t at : members)
            together.push_back(panels[at]);
        const ColourScale scale = common_scale(together);
        for (const std::size_t at : members) {
            panels[at].scale = scale;
            panels[at].scale_of = together.front().scale_of;
        }
    }
}

/// Keeps, among panels of one name, a bar only for neighbours in the last row that has some.
void keep_last_bars(std::vector<Panel>& panels, const std::vector<std::string>& names,
                    const std::vector<std::size_t>& rows) {
    std::map<std::string, std::size_t> last;
    for (std::size_t at = 0; at < panels.size(); ++at)
        if (!names[at].empty() && may_share_scale(panels[at]) && panels[at].has_bar)
            last[names[at]] = rows[at];
    std::map<std::string, std::size_t> end;  // of the neighbours that have the bar
    for (std::size_t at = 0; at < panels.size(); ++at) {
        const auto row = last.find(names[at]);
        if (row == last.end() || !may_share_scale(panels[at]))
            continue;
        const auto known = end.find(names[at]);
        panels[at].has_bar &= rows[at] == row->second && (known == end.end() || known->second == at);
        if (panels[at].has_bar)
            end[names[at]] = at + 1;
    }
}

/// The row of each panel: as many as are asked for, else as somebody has begun rows, else on a grid.
std::vector<std::size_t> rows_of(const std::vector<Panel>& panels, const std::vector<bool>& starts_row,
                                 bool has_strip, std::optional<Index> columns) {
    const bool has_rows = has_strip || std::ranges::count(starts_row, true) > 0;
    const Index places = std::ranges::count(panels, false, &Panel::lies_over);
    const Index most = columns ? *columns : has_rows ? places : grid_columns(places);
    std::vector<std::size_t> rows;
    std::size_t row = 0;
    Index in_row = 0;
    for (std::size_t at = 0; at < panels.size(); ++at) {
        const bool is_full = in_row > 0 && (starts_row[at] || in_row == most);
        if (is_full && !panels[at].lies_over) {
            ++row;
            in_row = 0;
        }
        rows.push_back(row);
        in_row += panels[at].lies_over ? 0 : 1;
    }
    return rows;
}

/// Puts the panels on a grid as wide as the longest row.
void arrange(Figure& figure, std::vector<Panel> panels, const std::vector<std::size_t>& rows) {
    std::vector<Index> lengths(rows.back() + 1);
    for (std::size_t at = 0; at < panels.size(); ++at)
        lengths[rows[at]] += panels[at].lies_over ? 0 : 1;
    figure.columns = std::ranges::max(lengths);
    Panel filler;
    filler.blank = filler.fills_row = true;
    for (std::size_t at = 0; at < panels.size(); ++at) {
        figure.panels.push_back(std::move(panels[at]));
        const bool ends_row = at + 1 == panels.size() || rows[at + 1] != rows[at];
        if (ends_row)
            figure.panels.insert(figure.panels.end(),
                                 static_cast<std::size_t>(figure.columns - lengths[rows[at]]), filler);
    }
}

/// Each sentence once: captions are sentences with two blanks between.
void add_sentences(std::vector<std::string>& sentences, std::string_view caption) {
    while (!caption.empty()) {
        const std::size_t end = caption.find("  ");
        const std::string sentence(caption.substr(0, end));
        if (!sentence.empty() && std::ranges::count(sentences, sentence) == 0)
            sentences.push_back(sentence);
        caption.remove_prefix(end == std::string_view::npos ? caption.size() : end + 2);
    }
}

/// The captions of the parts. How many lines are not drawn is said by the letters of the panels that it is
/// of, or without letters of all lines at once.
std::vector<std::string> captions_of(const std::vector<FigurePart>& parts, bool has_letters) {
    Index letters = 0, parts_with_lines = 0;
    std::vector<std::string> captions, notes, owners;
    LeftOutLines all;
    for (const FigurePart& part : parts) {
        captions.push_back(part.figure.caption);
        const LeftOutLines left_out(part.figure.panels);
        notes.push_back(left_out.note());
        all.add(left_out);
        parts_with_lines += notes.back().empty() ? 0 : 1;
        std::string& of = owners.emplace_back();
        for (const Panel& panel : part.figure.panels) {
            if (!stands_in_figure(panel))
                continue;
            if (panel.kind == Panel::Kind::lines)
                of += (of.empty() ? "" : ", ") + panel_letter(letters);
            ++letters;
        }
    }
    for (std::size_t at = 0; at < captions.size(); ++at) {
        const std::size_t found = notes[at].empty() ? std::string::npos : captions[at].find(notes[at]);
        if (found == std::string::npos)
            continue;
        if (has_letters && letters > 1)
            captions[at].insert(found, owners[at] + ' ');
        else if (parts_with_lines > 1)
            captions[at].replace(found, notes[at].size(), all.note());
    }
    return captions;
}

/// The bar of all, where one is enough for all that have colours.
void title_the_bar_of_all(Figure& figure) {
    const Panel* first = nullptr;
    for (const Panel& panel : figure.panels) {
        if (!is_coloured(panel) || panel.blank)
            continue;
        first = first ? first : &panel;
        if (panel.bar_title != first->bar_title)
            return;
    }
    if (first && first->bar_title.empty())
        figure.bar_titled = Figure::BarTitle::none;
    else if (first)
        figure.bar_title = first->bar_title;
}

}  // namespace

Figure compose_figure(std::vector<FigurePart> parts, const ViewSettings& settings) {
    Figure figure;
    figure.theme = settings.theme;
    figure.is_composed = true;
    std::vector<Panel> panels;
    std::vector<std::string> names, sentences;
    std::vector<Origin> origins;
    std::vector<bool> starts_row;
    bool has_strip = false;
    for (const std::string& caption : captions_of(parts, settings.options.letters))
        add_sentences(sentences, caption);
    for (FigurePart& part : parts) {
        if (figure.changes.empty())
            figure.changes = part.figure.changes;
        if (figure.table.titles.empty())
            figure.table = part.figure.table;
        const std::string name =
            part.choice.share.empty() && settings.options.one_scale ? "one scale" : part.choice.share;
        bool starts = part.choice.starts_row;
        has_strip |= part.choice.is_of_strip;
        const bool is_named = part.choice.title.has_value();
        const std::string source = part.source, run = part.run;
        for (Panel& panel : composed_panels(std::move(part))) {
            origins.push_back({run, source, panel.site, is_named || !has_stage_title(panel), is_named});
            panels.push_back(std::move(panel));
            names.push_back(name);
            starts_row.push_back(std::exchange(starts, false));
        }
    }
    if (panels.empty())
        throw Error({"compose a figure", "panels", "at least one matrix", "none"});
    if (!name_by_origin(panels, origins, settings.options.colour_bar) && settings.options.colour_bar)
        name_by_heads(panels);
    leave_out_repeated(panels);
    const std::vector<std::size_t> rows =
        rows_of(panels, starts_row, has_strip, settings.options.panel_columns);
    share_named_scales(panels, names);
    keep_last_bars(panels, names, rows);
    arrange(figure, std::move(panels), rows);
    const bool has_own_rows = has_strip || std::ranges::count(starts_row, true) > 0;
    figure.wrapped_rows = has_own_rows ? 0 : 1;
    figure.columns_are_asked = settings.options.panel_columns.has_value();
    title_the_bar_of_all(figure);
    for (const std::string& sentence : sentences)
        figure.caption.append(figure.caption.empty() ? "" : "  ") += sentence;
    figure.description = figure_description(figure);
    ViewSettings of_whole = settings;
    FigureOptions& options = of_whole.options;
    options.panel_columns.reset();  // arranged above
    // Each part has its own already.
    options.x_title.reset();
    options.y_title.reset();
    options.heads.clear();
    options.rows = options.columns = std::nullopt;
    options.marks.clear();
    options.notes.clear();
    options.hidden_labels.clear();
    options.renamed.clear();
    apply_options(figure, of_whole);
    return figure;
}

}  // namespace headlight
