#include "core/figure/notes.h"

#include "core/analysis/head_statistics.h"
#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/widths.h"
#include "core/figure/build_figure.h"
#include "core/figure/fit_scales.h"
#include "core/figure/forbidden_by.h"
#include "core/figure/largest_cells.h"
#include "core/figure/line_selection.h"
#include "core/figure/site_words.h"
#include "core/figure/ticks.h"
#include "core/figure/view.h"
#include "core/figure/view_titles.h"
#include "core/figure/words.h"
#include "core/map/aligned_maps.h"
#include "core/map/trace_maps.h"
#include "core/tensor/counted.h"
#include "core/tensor/visible_text.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

namespace headlight {

namespace {

bool any_panel(const Figure& figure, const std::function<bool(const Panel&)>& holds) {
    return std::ranges::any_of(
        figure.panels, [&](const Panel& panel) { return !panel.thumbnail && !panel.blank && holds(panel); });
}

/// Which of the numbers under a point of a large map it shows.
constexpr std::string_view largest_number_note = "Each point shows the largest weight under it.";
constexpr std::string_view furthest_number_note =
    "Each point shows the number under it that is furthest from 0.";

constexpr std::string_view unknown_words_note = "Dotted underline: not in the word vectors.";

bool is_marked(const AxisLabels& axis) {
    for (std::size_t at = 0; at < axis.marked.size(); ++at)
        if (axis.marked[at] && !(at < axis.hidden.size() && axis.hidden[at]))
            return true;
    return false;
}

bool is_marked(const Panel& panel) { return is_marked(panel.row_axis) || is_marked(panel.column_axis); }

std::string label(const AxisLabels& axis, Index at) {
    const auto i = static_cast<std::size_t>(at);
    return i < axis.labels.size() ? in_quotes(axis.labels[i]) : std::to_string(label_number(axis, at));
}

/// "“bank” → “river”"; of an image's patches "patch 3,5".
std::string cell_label(const Panel& panel, Index row, Index column) {
    if (panel.overlay)
        return "patch " + std::to_string(row + 1) + "," + std::to_string(column + 1);
    return with_arrow(label(panel.row_axis, row), label(panel.column_axis, column));
}

std::string number(double value) {
    constexpr double two_digits = 1e-3;  // are not there in four decimals below it
    if (value != 0 && std::abs(value) < two_digits)
        return format_number(value, 2);
    return format_fixed(value, std::max(2, useful_decimals(std::abs(value))));
}

/// "516,327"
std::string in_thousands(Index count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;)
        text.insert(at -= 3, 1, ',');
    return text;
}

}  // namespace

LeftOutLines::LeftOutLines(std::span<const Panel> panels) {
    for (const Panel& panel : panels) {
        if (panel.kind != Panel::Kind::lines)
            continue;
        const LineSelection selection = select_lines(panel);
        const HiddenLines& hidden = panel.hidden_lines;
        count_ += selection.left_out + hidden.count;
        are_faint_ = are_faint_ && hidden.count == 0 && selection.faint == selection.left_out;
        sum_ += selection.sum + hidden.hidden_sum;
        left_out_sum_ += selection.left_out_sum + hidden.hidden_sum;
    }
}

void LeftOutLines::add(const LeftOutLines& others) {
    count_ += others.count_;
    are_faint_ = are_faint_ && others.are_faint_;
    sum_ += others.sum_;
    left_out_sum_ += others.left_out_sum_;
}

std::string LeftOutLines::note() const {
    if (count_ == 0)
        return {};
    const double share = left_out_sum_ / sum_;
    const std::string percent = share < 0.001 ? "under 0.1" : format_fixed(100 * share, 1);
    const std::string lines = count_ == 1 ? "line" : "lines";
    return "Not drawn: " + in_thousands(count_) +
           (are_faint_ ? " " + lines + " too faint to be seen, " : " weaker " + lines + ", ") + percent +
           " % of the sum.";
}

namespace {

/// Lines of several heads have the colours of these: a sign has none.
bool marks_signs_with_dots(const Panel& panel) {
    return !panel.head_title.empty() && colour_map(panel.scale.map).diverging;
}

/// Small maps of heads leave out what is forbidden.
bool has_blank_pairs(const Panel& panel) {
    const auto has_some = [](const HeadMarks::Head& head) { return head.map && !head.map->forbidden.empty(); };
    return panel.marks && std::ranges::any_of(panel.marks->heads, has_some);
}

/// Says of a picture of all heads how many there are, and which have the largest numbers.
std::string heads_in_words(const Panel& panel, std::size_t count) {
    const std::vector<HeadMarks::Head>& heads = panel.marks->heads;
    const auto named =
        std::ranges::count_if(heads, [](const HeadMarks::Head& head) { return !head.name.empty(); });
    std::string text = counted(named, "head");
    if (panel.kind == Panel::Kind::points)
        text += ", across: " + panel.column_axis.title + ", up: " + panel.row_axis.title;
    std::string largest;
    for (const LargestCell& cell : largest_cells(panel, count))
        largest += (largest.empty() ? "" : "; ") +
                   heads[static_cast<std::size_t>(cell.row * panel.columns + cell.column)].name + " " +
                   number(cell.value);
    return text + "." + (largest.empty() ? "" : " Largest: " + largest + ".");
}

/// What is drawn in place of weights; empty where nothing is.
std::string norms_note(const PanelMaker& maker, const Figure& figure) {
    const HeadOverview* overview = maker.known_overview();
    const bool has_norms =
        overview ? overview->lens.weights == DrawnWeights::value_norms
                 : any_panel(figure, [&](const Panel& panel) { return maker.has_norms(panel.stage); });
    if (!has_norms)
        return {};
    const std::string& site = maker.chain().site();
    const AttentionSpec* spec = maker.trace().known_spec_at(site);
    if (knows_output_matrix(maker.trace(), site))
        return "Norm of each weight times its value times Wₒ (Kobayashi et al. 2020).";
    return spec && !projects_output(*spec) ? "Norm of each weight times its value (Kobayashi et al. 2020)."
                                           : "Norm of each weight times its value; Wₒ is not known here.";
}

std::string rollout_note(const PanelMaker& maker, const Figure& figure) {
    const bool has_rollout = !maker.known_overview() && any_panel(figure, [&](const Panel& panel) {
        return maker.is_rollout(panel.stage);
    });
    return has_rollout ? "Rollout: how much of each token at the start is in each token behind this layer "
                         "(Abnar and Zuidema 2020)."
                       : "";
}

/// Why keys that are to be hidden are not; empty where they are, or none is to be.
std::string not_hidden_note(const PanelMaker& maker, const Figure& figure) {
    if (maker.settings().hidden_keys.empty() || !figure.hidden_tokens.empty())
        return {};
    const HeadOverview* overview = maker.known_overview();
    const auto is_sparse = [&](const Panel& panel) { return maker.is_sparse(panel.stage); };
    if (any_panel(figure, is_sparse) || (overview && maker.is_sparse("weights")))
        return "No key is hidden: what sparse rows would leave to the others is not known.";
    if (overview && overview->lens != maker.settings())
        return {};  // those without the keys are being counted
    const bool has_weights = any_panel(figure, [&](const Panel& panel) {
        return is_weight_stage(panel.stage) && maker.is_query_by_key(panel.stage);
    });
    return has_weights || overview ? "No key is hidden: there is none of these numbers."
                                   : "No key is hidden: only weights are drawn without keys.";
}

/// Why heads that are to be sorted or framed are not; empty where they are, or are not to be.
std::string not_sorted_note(const PanelMaker& maker) {
    const ViewSettings& settings = maker.settings();
    const bool sorts = find_statistic(settings.heads.sorted_by).has_value();
    const bool is_asked =
        settings.view == ViewKind::model_grid && (sorts || find_statistic(settings.heads.framed_by));
    return is_asked && maker.is_sparse("weights")
               ? std::string(sorts ? "Not sorted" : "Not framed") +
                     ": sparse rows have no statistics, for of each row some weights are not known."
               : "";
}

/// What somebody chose for the colours that no panel can follow; empty where each choice is followed.
std::string unused_scale_note(const PanelMaker& maker, const Figure& figure) {
    const FigureSettings& settings = maker.settings();
    bool any_signed = false, any_unsigned = false, any_logarithmic = false;
    for (const Panel& panel : figure.panels) {
        if (panel.thumbnail || panel.blank || !maker.trace().find(panel.stage, panel.site))
            continue;  // other numbers have scales of their own
        (panel.scale.low < 0 ? any_signed : any_unsigned) = true;
        any_logarithmic |= panel.scale.kind == ScaleKind::logarithmic;
    }
    std::string note;
    const bool has_ends = settings.range.kind == RangeKind::numbers;
    if (has_ends && settings.range.from >= 0 && any_signed && !any_unsigned)
        note = "The range " + range_in_words(settings.range) +
               " is not used: these numbers may be negative and want one that starts below 0.";
    if (has_ends && settings.range.from < 0 && any_unsigned && !any_signed)
        note = "The range " + range_in_words(settings.range) +
               " is not used: these numbers are never negative and want one that starts at 0 or above.";
    if (settings.scale == ScaleKind::logarithmic && any_signed && !any_unsigned && !any_logarithmic)
        note += (note.empty() ? "" : "  ") +
                std::string("The logarithmic scale is not used: these numbers may be negative.");
    return note;
}

/// Whether the weights that are implied at a site are shares of their rows, as the mechanism declares it.
bool are_implied_shares(const Trace& trace, const std::string& site) {
    const AttentionSpec* const spec = trace.known_spec_at(site);
    const AlgorithmComponent* const algorithm = spec ? component_of(spec->algorithm.type) : nullptr;
    return algorithm && algorithm->implies_shares;
}

/// Where the figure draws implied weights, or counts them.
std::vector<std::string> sites_of_implied(const PanelMaker& maker, const Figure& figure) {
    std::vector<std::string> sites;
    for (const Panel& panel : figure.panels)
        if (!panel.thumbnail && !panel.blank && panel.is_implied)
            sites.push_back(panel.site);
    if (maker.is_implied(maker.stage()))
        sites.push_back(maker.chain().site());
    if (view(maker.settings().view).reads_every_head)
        for (const Stage& stage : maker.trace().stages())
            if (is_implied(maker.trace(), stage))
                sites.push_back(stage.site);
    return sites;
}

/// What implied weights are; empty where none are drawn.
std::string implied_note(const PanelMaker& maker, const Figure& figure) {
    const std::vector<std::string> sites = sites_of_implied(maker, figure);
    if (sites.empty())
        return {};
    const bool are_shares = std::ranges::all_of(
        sites, [&](const std::string& site) { return are_implied_shares(maker.trace(), site); });
    const std::string what =
        "Implied weights: what a linear layer’s state takes from each key. The layer never forms them; ";
    return what + (are_shares ? "none is negative, and each row sums to 1."
                              : "there is no softmax, so that they may be negative and rows need not sum to "
                                "1.");
}

/// "8 rows, query": what an axis counts, where that has a name.
std::string axis_in_words(Index count, const char* what, const AxisLabels& axis) {
    return counted(count, what) + (axis.title.empty() ? "" : ", " + axis.title);
}

/// Says a text, whose two sentences are its panel's titles.
std::string text_in_words(const Panel& panel) {
    return "A text of " + counted(panel.columns, "token") + ". " + panel.title + "." +
           (panel.subtitle.empty() ? "" : " " + panel.subtitle + ".");
}

std::string panel_in_words(const Panel& panel, std::size_t cells) {
    if (panel.marks)
        return heads_in_words(panel, cells);
    if (panel.kind == Panel::Kind::text)
        return text_in_words(panel);
    if (panel.flow)
        return own_title(panel) + ": " + panel.flow->words;
    std::string text = own_title(panel) + ": " + axis_in_words(panel.rows, "row", panel.row_axis) + ", by " +
                       axis_in_words(panel.columns, "column", panel.column_axis) + ".";
    if (panel.overlay)
        text = panel.title + (panel.subtitle.empty() ? "" : ", " + panel.subtitle) + ": over the image, " +
               counted(panel.rows, "row") + " of " + counted(panel.columns, "patch", "patches") + ".";
    if (panel.large)
        return text;  // its numbers are read where somebody looks
    std::string largest;
    for (const LargestCell& cell : largest_cells(panel, cells))
        largest += (largest.empty() ? "" : "; ") + cell_label(panel, cell.row, cell.column) + " " +
                   number(cell.value);
    return largest.empty() ? text : text + " Largest: " + largest + ".";
}

/// "Query and Key share a colour scale." for every scale that panels with different stages have, apart from
/// those that are fitted to one map: these may be alike by chance. Differences have one among themselves.
/// Scales of large maps are fitted later, and then to those of each kind.
std::vector<std::string> shared_scales(const Figure& figure, const ColourRange& range) {
    const auto have_one = [&](const Panel& a, const Panel& b) {
        const bool are_fitted_later = a.large && b.large && range_of(*a.large, range).follows_numbers();
        return a.scale == b.scale && (!are_fitted_later || are_of_one_kind(a, b));
    };
    std::vector<std::string> notes;
    std::vector<const Panel*> left;
    for (const Panel& panel : figure.panels)
        if (!panel.thumbnail && !panel.blank && panel.kind == Panel::Kind::heatmap && !panel.has_own_scale &&
            !panel.is_difference)
            left.push_back(&panel);
    while (!left.empty()) {
        const Panel& first = *left.front();
        std::vector<std::string> titles;
        for (const Panel* panel : left)
            if (const std::string title =
                    panel->is_implied ? "Implied weights" : stage_title_at(panel->stage, panel->site);
                have_one(first, *panel) && std::ranges::find(titles, title) == titles.end())
                titles.push_back(title);
        if (titles.size() > 1)
            notes.push_back(list_in_words(titles, "and") + " share a colour scale.");
        std::erase_if(left, [&](const Panel* panel) { return have_one(first, *panel); });
    }
    return notes;
}

constexpr std::string_view hatched_begins = "Hatched: ";

std::string hatched_note(const Figure& figure) {
    ForbiddenBy who;
    for (const Panel& panel : figure.panels) {
        if (panel.thumbnail || panel.blank || panel.kind != Panel::Kind::heatmap)
            continue;
        who.mask |= panel.forbidden_by.mask;
        who.selection |= panel.forbidden_by.selection;
        who.hand |= panel.forbidden_by.hand;
        who.cache = std::max(who.cache, panel.forbidden_by.cache);
    }
    const std::string words = forbidden_in_words(who);
    return words.empty() ? words : std::string(hatched_begins) + words + '.';
}

/// What a difference is where one of the two has no number.
std::string forbidden_in_one_note(const Figure& figure) {
    return any_panel(figure, [](const Panel& panel) { return panel.is_forbidden_in_one; })
               ? "Difference: a pair that is forbidden in one of the two alone has the weight 0 there."
               : "";
}

}  // namespace

std::string changes_in_words(const Trace& trace, const std::string& site) {
    // The same change of several heads is one.
    struct Change {
        std::string before, behind;  ///< the head in its words
        std::string site;
        std::vector<Index> heads;
    };
    std::vector<Change> changes;
    for (const ChangedByHand& each : trace.by_hand) {
        const std::string head = each.head ? ", head " + std::to_string(*each.head + 1) : "";
        const std::size_t at = head.empty() ? std::string::npos : each.words.rfind(head);
        Change change{each.words.substr(0, at), {}, each.site, {}};
        if (at != std::string::npos) {
            change.behind = each.words.substr(at + head.size());
            change.heads = {*each.head};
        }
        const auto same = std::ranges::find_if(changes, [&](const Change& known) {
            return !change.heads.empty() && !known.heads.empty() && known.before == change.before &&
                   known.behind == change.behind && known.site == change.site;
        });
        if (same == changes.end())
            changes.push_back(std::move(change));
        else if (std::ranges::count(same->heads, *each.head) == 0)
            same->heads.push_back(*each.head);
    }
    std::string text;
    for (Change& change : changes) {
        std::ranges::sort(change.heads);
        (text += text.empty() ? "Changed by hand: " : "; ") += change.before;
        if (!change.heads.empty())
            text += (change.heads.size() == 1 ? ", head " : ", heads ") + head_numbers(change.heads);
        text += change.behind;
        if (change.site != site)
            text += " (" + site_in_words(change.site, has_layers(trace)) + ")";
    }
    return text.empty() ? text : text + ".";
}

std::string keys_in_words(const Trace& trace, const std::string& site, const std::vector<Index>& keys) {
    const Stage* weights = trace.find("weights", site);
    const Index count = weights ? weights->extent(Axis::key) : 0;
    const AxisLabels axis{"", axis_labels(trace.tokens_at(site), Axis::key, count), {}};
    constexpr std::size_t most_names = 6;
    std::vector<std::pair<std::string, Index>> names;  // in the order of the text, and how many have it
    for (const Index key : keys) {
        if (key >= count)
            continue;
        std::string name = label(axis, key);
        const auto same = std::ranges::find(names, name, &std::pair<std::string, Index>::first);
        if (same == names.end())
            names.emplace_back(std::move(name), 1);
        else
            ++same->second;
    }
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i) {
        const auto& [name, times] = names[i];
        words.push_back((times > 1 ? std::to_string(times) + " × " : "") + name);
    }
    return list_with_others(words, names.size() - words.size());
}

std::string hidden_keys_note(const std::string& tokens, std::optional<double> mass, bool is_average,
                             bool are_norms, Index pooled_heads, Index pooled_layers) {
    if (tokens.empty())
        return {};
    const std::string layers = pooled_layers > 0 ? std::to_string(pooled_layers) + " layers" : "",
                      heads = pooled_heads > 0 ? std::to_string(pooled_heads) + " heads" : "",
                      of_all = join({layers, heads}, " and ");
    const std::string share = mass ? ", " + format_fixed(100 * *mass, 1) +
                                         (are_norms ? " % of the norms" : " % of the weights") +
                                         (of_all.empty() ? "" : " of the " + of_all) +
                                         (is_average || !of_all.empty() ? " on average" : "")
                                   : "";
    return "Hidden: " + tokens + share +
           (mass.value_or(0) < 1 ? "; the others of each row share what it gave." : ".");
}

std::string hidden_keys_note(const Figure& figure) {
    double mass = 0;
    Index panels = 0;
    bool are_heads = false;
    Index pooled_heads = 0, pooled_layers = 0;
    for (const Panel& panel : figure.panels)
        if (panel.hidden_mass && !panel.thumbnail) {
            pooled_heads = std::max(pooled_heads, panel.pooled_heads);
            pooled_layers = std::max(pooled_layers, panel.pooled_layers);
            mass += *panel.hidden_mass;
            ++panels;
            are_heads |= panel.marks != nullptr;
        }
    return hidden_keys_note(figure.hidden_tokens,
                            panels > 0 ? std::optional(mass / static_cast<double>(panels)) : std::nullopt,
                            panels > 1 || are_heads, figure.hides_norms, pooled_heads, pooled_layers);
}

void tell_furthest_numbers(Figure& figure) {
    if (const std::size_t at = figure.caption.find(largest_number_note); at != std::string::npos)
        figure.caption.replace(at, largest_number_note.size(), furthest_number_note);
}

void tell_hidden_mass(Figure& figure) {
    const std::string before = hidden_keys_note(figure);
    for (Panel& panel : figure.panels)
        if (panel.large && !panel.hidden_mass)
            panel.hidden_mass = panel.large->hidden_mass();
    if (const std::size_t at = figure.caption.find(before); !before.empty() && at != std::string::npos)
        figure.caption.replace(at, before.size(), hidden_keys_note(figure));
}

namespace {

void drop_note(std::string& caption, std::string_view note) {
    constexpr std::string_view between = "  ";  // two sentences
    const std::size_t at = caption.find(note);
    if (at == std::string::npos)
        return;
    std::size_t length = note.size();
    const bool is_last = at + length == caption.size();
    const std::size_t start = is_last && at >= between.size() ? at - between.size() : at;
    length += is_last ? at - start : between.size();
    caption.erase(start, length);
}

}  // namespace

void drop_unneeded_notes(Figure& figure) {
    if (!any_panel(figure, [](const Panel& panel) { return is_marked(panel); }))
        drop_note(figure.caption, unknown_words_note);
}

std::string without_unknown_words(std::string caption) {
    drop_note(caption, unknown_words_note);
    return caption;
}

void tell_masks(Figure& figure) {
    const std::string hatched = hatched_note(figure);
    const std::size_t begin = figure.caption.find(hatched_begins);
    if (begin != std::string::npos)  // what the first of the two alone says
        figure.caption.replace(begin, figure.caption.find("  ", begin) - begin, hatched);
    figure.caption = join(
        {figure.caption, begin == std::string::npos ? hatched : "", forbidden_in_one_note(figure)}, "  ");
}

void drop_pairing_note(Figure& figure) { drop_note(figure.caption, paired_by_places); }

std::string figure_caption(const PanelMaker& maker, const Figure& figure) {
    std::vector<std::string> notes;
    if (!figure.changes.empty())
        notes.push_back(figure.changes);
    if (any_panel(figure, [](const Panel& panel) { return !panel.by_hand.empty(); }))
        notes.push_back("Corner: set by hand.");
    if (const auto over =
            std::ranges::find_if(figure.panels, [](const Panel& panel) { return panel.overlay.has_value(); });
        over != figure.panels.end())
        notes.push_back(over->overlay->patches_look
                            ? "The image shows through as light and dark; outlined: the patch that looks."
                            : "The image shows through as light and dark; outlined: the selected patch.");
    for (std::string note : {hatched_note(figure), forbidden_in_one_note(figure), norms_note(maker, figure),
                             rollout_note(maker, figure), hidden_keys_note(figure),
                             not_hidden_note(maker, figure), not_sorted_note(maker)})
        if (!note.empty())
            notes.push_back(std::move(note));
    if (any_panel(figure, [](const Panel& panel) { return is_marked(panel); }))
        notes.emplace_back(unknown_words_note);
    if (any_panel(figure, [](const Panel& panel) { return !panel.row_sums.empty(); }))
        notes.push_back("Σ: row sums.");
    if (any_panel(figure, [](const Panel& panel) {
            return std::ranges::find(panel.flagged_rows, 1) != panel.flagged_rows.end();
        }))
        notes.push_back("∅: every key is forbidden, so the weights and the output are zero.");
    if (any_panel(figure, [](const Panel& panel) { return panel.stage == "masked_scores"; }) &&
        maker.trace().spec.mask_value)
        notes.push_back("The mask adds " + number(*maker.trace().spec.mask_value) + " instead of −∞.");
    for (std::string note : {implied_note(maker, figure), unused_scale_note(maker, figure)})
        if (!note.empty())
            notes.push_back(std::move(note));
    if (any_panel(figure, [](const Panel& panel) { return panel.large && panel.large->is_signed(); }))
        notes.emplace_back(furthest_number_note);
    else if (any_panel(figure, [](const Panel& panel) { return panel.large.has_value(); }))
        notes.emplace_back(largest_number_note);
    if (!maker.trace().left_out.empty())
        notes.push_back(maker.trace().left_out);
    if (any_panel(figure, marks_signs_with_dots))
        notes.push_back("Dotted: below 0.");
    if (any_panel(figure, has_blank_pairs))
        notes.push_back("Left blank: forbidden pairs of tokens.");
    for (const Panel& panel : figure.panels)
        if (panel.marks && !panel.marks->frames_note.empty())
            notes.push_back(panel.marks->frames_note);
    for (const Panel& panel : figure.panels)
        if (panel.flow)
            notes.insert(notes.end(), panel.flow->notes.begin(), panel.flow->notes.end());
    if (std::string note = LeftOutLines(figure.panels).note(); !note.empty())
        notes.push_back(std::move(note));
    std::ranges::move(shared_scales(figure, maker.settings().range), std::back_inserter(notes));
    if (const std::string problem = maker.trace().problem(); !problem.empty())
        notes.push_back("Not read: " + problem + ".");
    const bool are_counted = maker.trace().counted_heads && any_panel(figure, [](const Panel& panel) {
                                 return panel.kind == Panel::Kind::points;
                             });
    if (are_counted)  // of weights that are left out nothing is drawn
        notes.push_back("Counted by who published the heads, on whole rows of many texts.");
    else
        for (const std::string& omitted : maker.trace().omitted)
            notes.push_back("Not recorded: " + omitted + ".");
    std::string caption;
    for (const std::string& note : notes)
        caption += (caption.empty() ? "" : "  ") + note;
    return caption;
}

std::string difference_caption(const PanelMaker& maker, const Figure& figure) {
    return join({figure.changes, hatched_note(figure), forbidden_in_one_note(figure),
                 norms_note(maker, figure), rollout_note(maker, figure), hidden_keys_note(figure),
                 not_hidden_note(maker, figure), implied_note(maker, figure),
                 unused_scale_note(maker, figure), maker.trace().left_out},
                "  ");
}

std::string figure_description(const Figure& figure) {
    const auto is_shown = [](const Panel& panel) { return !panel.thumbnail && !panel.blank; };
    const auto shown = std::ranges::count_if(figure.panels, is_shown);
    std::string text = figure.title.empty() ? std::string() : figure.title + ".";
    if (!figure.changes.empty())
        text += (text.empty() ? "" : " ") + figure.changes;
    for (const Panel& panel : figure.panels)
        if (is_shown(panel))
            (text += text.empty() ? "" : "\n") += panel_in_words(panel, shown == 1 ? 5 : 2);
    return text;
}

}  // namespace headlight
