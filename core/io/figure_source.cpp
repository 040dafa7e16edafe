#include "core/io/figure_source.h"

#include "core/figure/apply_options.h"
#include "core/figure/beam_figure.h"
#include "core/figure/build_figure.h"
#include "core/figure/called_tokens.h"
#include "core/figure/comparison.h"
#include "core/figure/compose_figure.h"
#include "core/figure/film_figure.h"
#include "core/figure/fit_scales.h"
#include "core/figure/panel_numbers.h"
#include "core/figure/site_layers.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/io/drawn_weights.h"
#include "core/io/seen_picture.h"
#include "core/io/session_run.h"
#include "core/map/site_name.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace headlight {
namespace {

/// The sources of a figure's panels, each read or run once.
class PanelSources {
public:
    PanelSources(const FigureSource& own, const OpenSource& open) : own_(own), open_(open) {}

    const FigureSource& of(const PanelChoice& choice) {
        if (choice.file.empty() && choice.mechanism.empty())
            return own_;
        const auto key = std::tuple(choice.file, choice.mechanism, choice.view.view);
        if (const auto known = sources_.find(key); known != sources_.end())
            return known->second;
        FigureSource source = choice.file.empty() ? own_ : opened(choice);
        if (!choice.mechanism.empty())
            source = with_mechanism(std::move(source), choice);
        return sources_.emplace(key, std::move(source)).first->second;
    }

    /// What runs of a session's mechanisms take; several panels show different numbers of the same runs.
    const std::vector<CostLine>& costs(const PanelChoice& choice, const FigureSource& source);

private:
    FigureSource opened(const PanelChoice& choice) const {
        if (!open_)
            throw Error({draw_panel, "file", "a figure of one file here", '"' + excerpt(choice.file) + '"'});
        const std::vector<std::string> files = panel_files(choice.file);
        FigureSource source = open_(files.front(), choice.view.view);
        if (files.size() > 1 && choice.shows != PanelSubject::learning)
            throw Error(
                {draw_panel, "file", "one file, or several for learning", '"' + excerpt(choice.file) + '"'});
        for (std::size_t at = 1; at < files.size(); ++at)
            std::ranges::move(open_(files[at], choice.view.view).learning,
                              std::back_inserter(source.learning));
        return source;
    }

    static FigureSource with_mechanism(FigureSource source, const PanelChoice& choice) {
        if (!source.session || !source.session->runs_mechanism())
            throw Error({draw_panel, "mechanism", "a session that runs a mechanism",
                         source.session ? source.session->attends_elsewhere() : "a file without a session"});
        Session session = *std::move(source.session);
        session.mechanism = choice.mechanism;
        session.values.clear();
        session.custom.reset();
        session.compared.clear();
        session.counterpart.reset();
        session.view.view = choice.view.view;
        return source_of(std::move(session));
    }

    const FigureSource& own_;
    const OpenSource& open_;
    std::map<std::tuple<std::string, std::string, ViewKind>, FigureSource> sources_;
    std::map<std::tuple<const FigureSource*, Index, bool>, std::vector<CostLine>> costs_;
};

[[noreturn]] void refuse_panel(const char* word, const std::string& expected, const std::string& got) {
    throw Error({draw_panel, word, expected, got});
}

Index extent_of(const Trace& trace, const Selection& selection, Axis axis) {
    Index most = 1;
    for (const Stage& stage : trace.stages())
        if (stage.site == selection.site && stage.has_axis(axis))
            most = std::max(most, stage.extent(axis));
    return most;
}

Index query_of(const std::string& typed, const TokenLabels& tokens, Index queries) {
    if (const auto query = token_called(typed, tokens.query, queries))
        return *query;
    const TokenMismatch mismatch = token_mismatch(typed, tokens.query, queries);
    refuse_panel("query", mismatch.expected, mismatch.got);
}

void require_number(const char* word, const std::optional<Index>& asked, Index count) {
    if (asked && *asked >= count)
        refuse_panel(word, "1 to " + std::to_string(count), std::to_string(*asked + 1));
}

std::string one_of_names(const char* word, const std::string& typed, const std::set<std::string>& names) {
    if (!names.contains(typed)) {
        const std::vector<std::string> list(names.begin(), names.end());
        refuse_panel(word, list_of(list), quoted_with_hint(typed, list));
    }
    return typed;
}

/// The site of the layer that the choice names, of the kind that its site names or that it is of already.
std::string site_of_layer(const PanelChoice& choice, const PanelWords& asked, const Trace& trace) {
    const SiteLayers layers = site_layers(trace);
    if (layers.by_kind.empty())
        refuse_panel("layer", "a file with layers", "one without");
    std::set<std::string> kinds;
    for (const auto& [kind, sites] : layers.by_kind)
        kinds.insert(kind);
    const std::string& site = choice.view.selection.site;
    const std::string own = parse_site(site).kind;
    const std::string kind = asked.contains("site") ? one_of_names("site", site, kinds)
                             : kinds.contains(own)  ? own
                                                    : layers.first_kind;
    const auto& sites = layers.by_kind.at(kind);
    const auto found = sites.find(*choice.layer);
    if (found == sites.end())
        refuse_panel("layer",
                     "1 to " + std::to_string(sites.rbegin()->first + 1) + ", of those that were recorded",
                     std::to_string(*choice.layer + 1));
    return found->second;
}

/// The choice's settings, all of whose selection must be there. `is_own`: it is drawn from what the figure
/// is drawn from.
ViewSettings settled(const PanelChoice& choice, const PanelWords& asked, const FigureSource& source,
                     bool is_own) {
    const Trace& trace = *source.trace;
    ViewSettings view = choice.view;
    std::set<std::string> sites, stages;
    for (const Stage& stage : trace.stages())
        sites.insert(stage.site);
    if (choice.layer)
        view.selection.site = site_of_layer(choice, asked, trace);
    else if (asked.contains("site"))
        one_of_names("site", view.selection.site, sites);
    else if (!is_own && !sites.contains(view.selection.site))
        view.selection.site = source.view.selection.site;
    if (!sites.contains(view.selection.site) && !trace.stages().empty())
        view.selection.site = trace.stages().front().site;
    for (const Stage& stage : trace.stages())
        if (stage.site == view.selection.site)
            stages.insert(stage.name);
    if (asked.contains("stage") || asked.contains("stages"))
        one_of_names("stage", view.selection.stage, stages);
    require_number("head", choice.head, extent_of(trace, view.selection, Axis::head));
    const Index queries = extent_of(trace, view.selection, Axis::query);
    require_number("step", choice.step, queries);
    if (!choice.query.empty())
        view.selection.query = query_of(choice.query, trace.tokens_at(view.selection.site), queries);
    return view;
}

void require_heads(const ViewSettings& view, const PanelWords& asked, const Figure& figure) {
    if (!asked.contains("heads"))
        return;
    if (!headlight::view(view.view).chooses_heads())
        refuse_panel("heads", "a view of several heads, such as grid or lines",
                     std::string(to_word(view.view)));
    for (const Index head : view.options.heads)
        require_number("heads", head, heads_to_choose(figure));
}

/// What is asked of the cells must be there as well.
void require_cells(const ViewSettings& view, const PanelWords& asked, const Figure& figure) {
    const Panel* leading = leading_map(figure);
    const auto within = [&](const char* word, const AxisSlice& slice, Index extent) {
        if (slice.first + slice.count > extent)
            refuse_panel(word, "1 to " + std::to_string(extent), std::to_string(slice.first + slice.count));
    };
    for (const char* word : {"rows", "columns", "mark", "note"})
        if (asked.contains(word) && !leading)
            refuse_panel(word, "a view of matrices, such as heatmap or grid",
                         std::string(to_word(view.view)));
    if (!leading)
        return;
    if (asked.contains("rows"))
        within("rows", *view.options.rows, rows_to_choose(*leading));
    if (asked.contains("columns"))
        within("columns", *view.options.columns, columns_to_choose(*leading));
    if (asked.contains("mark"))
        for (const MarkedCells& mark : view.options.marks) {
            within("mark", mark.rows, leading->rows);
            within("mark", mark.columns, leading->columns);
        }
    if (asked.contains("note"))
        for (const CellNote& note : view.options.notes)
            for (const NotedCell& cell : {note.cell, note.from.value_or(note.cell)}) {
                within("note", {cell.row, 1}, leading->rows);
                within("note", {cell.column, 1}, leading->columns);
            }
}

/// With what the panel draws in the place of the source's trace: of `untouched` the run before the changes.
FigureSource drawn_source(const PanelChoice& choice, const FigureSource& source) {
    FigureSource drawn = source;
    if (!choice.is_untouched)
        return drawn;
    if (!source.untouched)
        refuse_panel("untouched", "a model that was changed inside, or maps beside another text", "neither");
    const auto untouched = std::exchange(drawn.untouched, nullptr);
    drawn.trace = source.before ? source.before : untouched;
    return drawn;
}

Figure view_part(const PanelChoice& choice, const PanelWords& asked, const FigureSource& source,
                 const FigureSource& own) {
    if (!source.trace)
        refuse_panel("view", "learning, of a training", std::string(to_word(choice.view.view)));
    const FigureSource drawn = drawn_source(choice, source);
    const ViewSettings view = settled(choice, asked, drawn, &source == &own);
    if (const auto mismatch = pooling_mismatch(view); mismatch && asked.contains("head"))
        refuse_panel("head", mismatch->expected, mismatch->got);
    Figure figure = plain_figure(drawn, view);
    require_heads(view, asked, figure);
    require_cells(view, asked, figure);
    if (choice.is_of_strip && choice.step)
        for (Panel& panel : figure.panels) {
            panel.title = "Step " + std::to_string(*choice.step + 1);
            panel.subtitle = step_subject(panel.stage, axis_label(panel.row_axis, *choice.step));
        }
    apply_options(figure, view);
    complete_large_maps(figure, view.range);
    return figure;
}

Figure beam_part(const PanelChoice& choice, const FigureSource& source) {
    std::shared_ptr<const Transcript> said = source.said;
    if (!said && source.session && source.session->model)
        said = run_session(*source.session).said;
    if (!said)
        refuse_panel("view", "a model that generates a text, for a beam", "none");
    return beam_figure(*said, choice.draws_pruned);
}

/// Curves, or maps after some of the steps.
Figure learning_part(const PanelChoice& choice, const FigureSource& source) {
    if (source.learning.empty())
        refuse_panel("file", "what a training wrote about itself, for learning", "none");
    if (choice.steps.empty())
        return learning_figure(source.learning, choice.curves);
    Figure all;
    for (const Index step : choice.steps) {
        std::vector<FilmShot> shots;
        for (const LearningRun& run : source.learning) {
            const auto& losses = run.record->loss.points();
            require_number("steps", step, losses.empty() ? 1 : losses.back().step);
            shots.push_back({run.name, run.record->film.at(step + 1), ""});
        }
        Figure figure = film_figure(shots, choice.view.selection.site, choice.view);
        for (Panel& panel : figure.panels) {
            if (shots.size() == 1 && shots.front().frame)
                panel.title = "Step " + std::to_string(shots.front().frame->step);
            all.panels.push_back(std::move(panel));
        }
    }
    apply_options(all, choice.view);
    return all;
}

/// Counted at each length, up to the first that the mechanism refuses: some run on few tokens alone.
void count_costs(CostLine& line, CostSubject& subject, const CostLimits& limits) {
    try {
        for (Index tokens = limits.least; tokens <= limits.most; tokens *= 2)
            line.points.push_back(subject.count(tokens));
    } catch (const Error& error) {
        if (line.points.empty())
            throw;
        line.refusal = error.what();
    }
}

/// "Sliding window attention" beside others: the word that all of them have is left out.
std::string without_attention(std::string name) {
    constexpr std::string_view last = " attention";
    if (name.ends_with(last))
        name.resize(name.size() - last.size());
    return name;
}

std::vector<CostLine> cost_lines(const PanelChoice& choice, const FigureSource& source, bool is_measured) {
    if (!source.session || !source.session->runs_mechanism())
        refuse_panel("view", "a session that runs mechanisms, for costs", "none");
    const Session& session = *source.session;
    constexpr Index usual_width = 64;
    const Index width = session.sequence.file ? session.sequence.file->query.cols() : usual_width;
    CostLimits limits;
    limits.most = choice.tokens;
    const std::vector<std::string> names = comparison_names(session);
    std::vector<CostLine> lines;
    for (std::size_t at = 0; at < names.size(); ++at) {
        const AttentionSpec spec =
            at == 0 ? session_spec(session) : compared_spec(session, session.compared[at - 1]);
        CostLine line{without_attention(names[at]), {}, {}};
        if (is_measured) {
            CostCurve curve(cost_subject(spec, width, session.seed), limits, seconds_of_work);
            while (!curve.is_finished())
                curve.measure_next();
            line.points = curve.points();
            line.refusal = curve.refusal();
        } else {
            count_costs(line, *cost_subject(spec, width, session.seed), limits);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

const std::vector<CostLine>& PanelSources::costs(const PanelChoice& choice, const FigureSource& source) {
    const bool is_measured = choice.cost == CostNumber::seconds || choice.cost == CostNumber::bytes;
    const auto key = std::tuple(&source, choice.tokens, is_measured);
    const auto known = costs_.find(key);
    return known != costs_.end() ? known->second
                                 : costs_.emplace(key, cost_lines(choice, source, is_measured)).first->second;
}

Figure part_figure(const PanelChoice& choice, const PanelWords& asked, PanelSources& sources,
                   const FigureSource& own) {
    const FigureSource& source = sources.of(choice);
    switch (choice.shows) {
    case PanelSubject::view:
        break;
    case PanelSubject::beam:
        return beam_part(choice, source);
    case PanelSubject::learning:
        return learning_part(choice, source);
    case PanelSubject::costs:
        return cost_figure(sources.costs(choice, source), choice.cost);
    }
    return view_part(choice, asked, source, own);
}

/// A panel with what tells it from others of its kind. A difference says in its title and below what it is
/// of.
FigurePart named_part(const PanelChoice& choice, Figure figure, const FigureSource& source) {
    FigurePart part{std::move(figure), choice};
    if (choice.shows != PanelSubject::view || !source.trace)
        return part;
    const bool is_difference = source.untouched && !choice.is_untouched && choice.view.differences &&
                               view(choice.view.view).shows_difference;
    if (is_difference)
        return part;
    const Trace& trace = choice.is_untouched ? *source.untouched : *source.trace;
    part.source = trace.compared_as.empty() ? trace_title(trace) : trace.compared_as;
    const bool is_changed = source.untouched && source.untouched->name == source.trace->name;
    if (is_changed)
        part.run = choice.is_untouched ? "Untouched" : "Changed";
    return part;
}

}  // namespace

std::vector<std::string> panel_files(const std::string& word) {
    std::vector<std::string> files;
    for (std::size_t begin = 0; begin <= word.size();) {
        const std::size_t end = std::min(word.find(';', begin), word.size());
        files.push_back(word.substr(begin, end - begin));
        begin = end + 1;
    }
    return files;
}

std::string whole_paths(const std::string& word, const std::filesystem::path& folder) {
    std::string paths;
    for (const std::string& file : panel_files(word))
        paths.append(paths.empty() ? "" : ";") +=
            std::filesystem::absolute(folder / file).lexically_normal().string();
    return paths;
}

FigureSource source_of(Session session) {
    SessionRun run = run_session(session);
    FigureSource source;
    source.trace = std::make_shared<const Trace>(std::move(run.trace));
    source.comparison = std::move(run.comparison);
    source.untouched = std::move(run.untouched);
    source.before = std::move(run.before);
    source.said = std::move(run.said);
    source.random_weights = std::move(run.random_weights);
    source.reading = std::move(run.reading);
    source.view = view_settings(session);
    source.session = std::move(session);
    return source;
}

Figure plain_figure(const FigureSource& source, const ViewSettings& view) {
    // To know what a model has seen may mean to open it.
    const bool draws_image = source.session && headlight::view(view.view).stages == View::Stages::patches;
    const PatchedPicture image =
        draws_image ? seen_picture(*source.session, source.said.get()) : PatchedPicture();
    Figure figure = source.untouched ? build_changed_figure(*source.trace, *source.untouched, view, image)
                                     : build_figure(*source.trace, view, image);
    const bool are_compared = headlight::view(view.view).all_sites && !source.comparison.empty();
    if (headlight::view(view.view).all_sites)
        complete_comparison(figure, source.comparison, view.selection.head);
    caption_random_weights(figure, are_compared && source.session
                                       ? random_weights_note(*source.session, source.comparison)
                                       : source.random_weights);
    return figure;
}

Figure figure_of(const FigureSource& source, const ViewSettings& view, const OpenSource& open) {
    if (view.options.panels.empty()) {
        Figure figure = plain_figure(source, view);
        apply_options(figure, view);
        complete_large_maps(figure, view.range);
        return figure;
    }
    PanelSources sources(source, open);
    std::vector<FigurePart> parts;
    for (std::size_t at = 0; at < view.options.panels.size(); ++at) {
        const PanelWords& words = view.options.panels[at];
        try {
            for (const PanelChoice& choice : panel_choices(words, view))
                parts.push_back(
                    named_part(choice, part_figure(choice, words, sources, source), sources.of(choice)));
        } catch (const Error& error) {
            throw error.within("panel " + std::to_string(at + 1));
        }
    }
    return compose_figure(std::move(parts), view);
}

}  // namespace headlight
