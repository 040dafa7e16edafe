#include "app/cli/maps_source.h"

#include "core/analysis/displayed_weights.h"
#include "core/io/capture_file.h"
#include "core/io/session_capture.h"
#include "core/io/session_run.h"
#include "core/map/trace_maps.h"
#include "ui/render/figure_file.h"

#include <utility>

namespace headlight {

Capture read_maps(const std::string& file, const AskedMaps& asked, const std::optional<std::string>& text,
                  const std::optional<std::string>& target) {
    if (text) {
        Session session;
        session.model =
            SessionModel{file, {.source = *text, .chosen = {}, .target = target, .interventions = {}}};
        session.counterpart = counterpart_asked_for(session, asked);
        SessionRun run = run_session(session);
        std::string pairing = run.trace.left_out;
        return {seen_maps(std::make_shared<const Trace>(std::move(run.trace)), run.untouched,
                          {.weights = asked.weights.value_or(DrawnWeights::raw), .hidden_keys = {}}),
                std::move(pairing)};
    }
    const bool are_norms = asked.weights == DrawnWeights::value_norms;  // which need more than the maps
    if (is_capture(file) && !asked.other_text && !are_norms)
        return captured_maps(
            {.file = file, .unit = asked.unit, .spelling = asked.spelling.value_or(TokenSpelling::text)},
            asked.other);
    const FigureSource source = read_figure_file(file, {}, asked);
    WeightLens lens = source.view;
    lens.weights = asked.weights.value_or(lens.weights);
    return {seen_maps(source.trace, source.untouched, lens),
            joined_sentences(source.reading, source.trace->left_out)};
}

}  // namespace headlight
