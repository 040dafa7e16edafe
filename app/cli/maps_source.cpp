#include "app/cli/maps_source.h"

#include "app/cli/render_source.h"
#include "core/io/capture_file.h"
#include "core/io/session_run.h"
#include "core/map/trace_maps.h"

namespace headlight {

std::vector<LabelledMaps> read_maps(const std::string& file, const std::optional<std::string>& text,
                                    const std::optional<std::string>& target) {
    if (text) {
        Session session;
        session.model =
            SessionModel{file, {.source = *text, .chosen = {}, .target = target, .interventions = {}}};
        return maps_of(std::make_shared<const Trace>(run_session(session).trace));
    }
    if (is_capture(file))
        return read_capture(file);
    return maps_of(read_render_source(file).trace);
}

}  // namespace headlight
