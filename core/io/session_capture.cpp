#include "core/io/session_capture.h"

#include "core/io/capture_file.h"
#include "core/io/trace_file.h"
#include "core/map/maps_trace.h"

namespace headlight {

Trace captured_trace(const std::filesystem::path& file) {
    return is_capture(file) ? trace_of(read_capture(file), captured_file(file).stem().string())
                            : read_trace(file);
}

Session with_capture(Session session, const std::filesystem::path& file) {
    session.model.reset();
    session.capture = std::filesystem::absolute(file).lexically_normal().string();
    session.view = in_view(session.view, ViewKind::grid);
    session.view.selection = {};
    session.view.decoding_step.reset();
    // Of hundreds of tokens each has a small weight: on a scale to 1 the maps would stay dark.
    session.figure.range = RangeKind::fitted;
    return session;
}

}  // namespace headlight
