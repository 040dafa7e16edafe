#include "core/io/session_capture.h"

#include "core/analysis/token_units.h"
#include "core/io/capture_file.h"
#include "core/io/trace_file.h"
#include "core/map/aligned_maps.h"
#include "core/map/maps_trace.h"
#include "core/map/trace_maps.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::vector<LabelledMaps> maps_in(const fs::path& file, TokenUnit unit) {
    return in_units(is_capture(file) ? read_capture(file)
                                     : maps_of(std::make_shared<const Trace>(read_trace(file))),
                    unit);
}

std::string name_of(const fs::path& file) {
    return (is_capture(file) ? captured_file(file) : file).stem().string();
}

}  // namespace

CapturedTraces captured_traces(const SessionCapture& capture) {
    const fs::path file = capture.file;
    if (!capture.other && capture.unit == TokenUnit::token && !is_capture(file))
        return {read_trace(file), {}};
    const std::string name = name_of(file);
    if (!capture.other)
        return {trace_of(maps_in(file, capture.unit), name), {}};
    const fs::path other = *capture.other;
    AlignedMaps maps = aligned(maps_in(file, capture.unit), maps_in(other, capture.unit));
    CapturedTraces traces{trace_of(maps.first, name), {}};
    traces.trace.left_out = maps.left_out;
    Trace of_other = trace_of(maps.second, name_of(other));
    traces.other = std::make_shared<const Trace>(std::move(of_other));
    return traces;
}

std::vector<LabelledMaps> captured_maps(const SessionCapture& capture) {
    if (!capture.other)
        return maps_in(capture.file, capture.unit);
    AlignedMaps maps = aligned(maps_in(capture.file, capture.unit), maps_in(*capture.other, capture.unit));
    for (std::size_t i = 0; i < maps.first.size(); ++i)
        maps.first[i].other = maps.second[i].maps;
    return std::move(maps.first);
}

Session with_capture(Session session, const fs::path& file) {
    session.model.reset();
    session.capture = SessionCapture{.file = fs::absolute(file).lexically_normal().string(), .other = {}};
    session.view = in_view(session.view, ViewKind::grid);
    session.view.selection = {};
    session.view.decoding_step.reset();
    // Of hundreds of tokens each has a small weight: on a scale to 1 the maps would stay dark.
    session.figure.range = RangeKind::fitted;
    return session;
}

}  // namespace headlight
