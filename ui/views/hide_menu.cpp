#include "ui/views/hide_menu.h"

#include "core/figure/stage_chain.h"
#include "core/map/trace_maps.h"
#include "core/workbench/figure_edits.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/models/menu_text.h"
#include "ui/views/cell_text.h"

#include <algorithm>
#include <iterator>

namespace headlight {
namespace {

bool is_of_weights(const Trace& trace, const CellPlace& place) {
    const Stage* stage = trace.find(place.stage, place.site);
    return stage && !is_sparse(trace, *stage) && is_weight_stage(place.stage) &&
           matrix_axes(*stage) == MatrixAxes();
}

/// The keys that have the same token as the one of this place: `--hide TOKEN` means all of them.
std::vector<Index> keys_called_alike(const Trace& trace, const CellPlace& place) {
    const Stage& stage = *trace.find(place.stage, place.site);
    const std::vector<std::string> names =
        axis_labels(trace.tokens_at(place.site), Axis::key, stage.extent(Axis::key));
    std::vector<Index> keys;
    for (Index key = 0; key < std::ssize(names); ++key)
        if (names[static_cast<std::size_t>(key)] == names[static_cast<std::size_t>(*place.column)])
            keys.push_back(key);
    return keys;
}

}  // namespace

void add_hide_actions(ContextMenu& menu, Document& document, const CellPlace& place) {
    const Trace& trace = *document.run()->trace;
    const FigureSettings& figure = document.session().figure;
    const bool may_hide = is_of_weights(trace, place) && place.column &&
                          !std::ranges::binary_search(figure.hidden_keys, *place.column);
    if (!may_hide && figure.hidden_keys.empty())
        return;
    const auto add = [&](const char* id, const QStringList& about, std::vector<Index> keys) {
        const QAction& action = menu.offer(QLatin1String(id), about);
        QObject::connect(&action, &QAction::triggered, &menu, [&document, &action, keys = std::move(keys)] {
            document.edit(hide_keys(document.session(), shown_words(action.text()).toStdString(), keys));
        });
    };
    if (may_hide) {
        std::vector<Index> keys = figure.hidden_keys;
        keys.insert(std::ranges::upper_bound(keys, *place.column), *place.column);
        const QString token =
            quoted_token(index_label(trace.tokens_at(place.site), Axis::key, *place.column));
        add("hide_key", {token}, std::move(keys));
        const std::vector<Index> alike = keys_called_alike(trace, place);
        if (alike.size() > 1) {
            std::vector<Index> all;
            std::ranges::set_union(figure.hidden_keys, alike, std::back_inserter(all));
            add("hide_alike", {token, QString::number(alike.size())}, std::move(all));
        }
    }
    if (!figure.hidden_keys.empty())
        add("show_hidden_keys", {}, {});
}

}  // namespace headlight
