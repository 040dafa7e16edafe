#include "app/cli/maps_source.h"

#include "app/cli/render_source.h"
#include "core/analysis/seen_weights.h"
#include "core/io/capture_file.h"
#include "core/io/session_capture.h"
#include "core/io/session_run.h"
#include "core/map/trace_maps.h"

namespace headlight {

std::vector<LabelledMaps> read_maps(const std::string& file, const AskedMaps& asked,
                                    const std::optional<std::string>& text,
                                    const std::optional<std::string>& target) {
    if (text) {
        Session session;
        session.model =
            SessionModel{file, {.source = *text, .chosen = {}, .target = target, .interventions = {}}};
        session.counterpart = counterpart_asked_for(session, asked);
        SessionRun run = run_session(session);
        return maps_of(std::make_shared<const Trace>(std::move(run.trace)), run.untouched);
    }
    if (is_capture(file) && !asked.other_text)
        return captured_maps({.file = file, .unit = asked.unit}, asked.other);
    const RenderSource source = read_render_source(file, {}, asked);
    return seen_maps(source.trace, source.untouched, source.view);
}

}  // namespace headlight
