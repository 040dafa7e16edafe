#include "app/cli/render_source.h"

#include "core/io/capture_file.h"
#include "core/io/drawn_weights.h"
#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/io/model_title.h"
#include "core/io/session_capture.h"
#include "core/io/session_model.h"
#include "core/io/session_place.h"
#include "core/io/session_run.h"
#include "core/io/trace_file.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"
#include "ui/render/export.h"

namespace headlight {
namespace {

/// Of a trace that `run` wrote: its numbers stand in the file, who gave the parameters in the session. A
/// session that cannot be run says nothing; the numbers are drawn without it.
std::string random_weights_of(const Session& session) {
    if (session.model)
        return {};
    try {
        return random_weights_note(
            session, plan(session_spec(session), session_inputs(session), {.seed = session.seed}));
    } catch (const Error&) {
        return {};
    }
}

RenderSource of_trace(Trace trace, const std::filesystem::path& path) {
    RenderSource source;
    source.view.view = ViewKind::heatmap;
    if (!trace.session.empty()) {
        source.session = found_in(parse_session(trace.session), path);
        trace.name = source.session->model ? model_title(source.session->model->name)
                                           : comparison_names(*source.session).front();
        source.random_weights = random_weights_of(*source.session);
    }
    source.trace = std::make_shared<const Trace>(std::move(trace));
    if (source.session && source.session->sequence.image)
        source.view = view_settings(*source.session);  // on colours from 0 to 1, an image would stay dark
    return source;
}

using AskedView = std::optional<ViewKind>;

/// What is kept of a run goes by what is going to be drawn of it.
RenderSource of_session(Session session, AskedView asked) {
    session.view.view = asked.value_or(session.view.view);
    RenderSource source;
    SessionRun run = run_session(session);
    source.trace = std::make_shared<const Trace>(std::move(run.trace));
    source.comparison = std::move(run.comparison);
    source.untouched = std::move(run.untouched);
    source.random_weights = std::move(run.random_weights);
    source.view = view_settings(session);
    source.session = std::move(session);
    return source;
}

RenderSource of_inputs(Inputs inputs, const std::string& name, AskedView asked) {
    Session session;
    session.mechanism = inputs.key ? "cross" : "scaled_dot_product";
    session.origin = inputs.parameters.empty() ? session.origin : ParameterOrigin::file;
    session.sequence.file = std::make_shared<const Inputs>(std::move(inputs));
    session.sequence.file_name = name;
    session.view.view = ViewKind::heatmap;
    return of_session(std::move(session), asked);
}

/// The three kinds of JSON and the two of safetensors say what they are.
bool says(const std::string& bytes, const char* format) { return bytes.find(format) != std::string::npos; }

RenderSource by_content(const std::filesystem::path& path, AskedView asked) {
    const std::string bytes = read_document(path);
    const std::string name = path.filename().string(), extension = path.extension().string();
    if (const auto session =
            embedded_session(QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()))))
        return of_session(parse_session(*session), asked);
    if (extension == ".safetensors")
        return says(bytes, "headlight-trace/") ? of_trace(parse_trace_safetensors(bytes), path)
                                               : of_inputs(parse_inputs_safetensors(bytes), name, asked);
    if (extension == ".csv")
        return of_inputs(parse_inputs_csv(bytes), name, asked);
    if (extension == ".json") {
        if (says(bytes, "\"headlight-trace/"))
            return of_trace(parse_trace_json(bytes), path);
        return says(bytes, "\"headlight-session/") ? of_session(found_in(parse_session(bytes), path), asked)
                                                   : of_inputs(parse_inputs_json(bytes), name, asked);
    }
    throw Error({"render", "", "a trace, a session, token vectors, or a figure that carries its session",
                 may_carry_session(path) ? "a picture without one" : "a file of another kind"});
}

}  // namespace

RenderSource read_captured_source(const SessionCapture& capture) {
    CapturedTraces traces = captured_traces(capture);
    RenderSource source;
    source.view.view = ViewKind::heatmap;
    source.view.differences = traces.other != nullptr;
    source.trace = std::make_shared<const Trace>(std::move(traces.trace));
    source.untouched = std::move(traces.other);
    return source;
}

RenderSource read_render_source(const std::filesystem::path& path, std::optional<ViewKind> asked) {
    if (is_capture(path))
        return read_captured_source({.file = path.string(), .other = {}});
    return unless_foreign(
        "render", path, path.string(),
        [&] {
            try {
                return by_content(path, asked);
            } catch (const Error& error) {
                if (error.detail().where.find(visible(path.filename().string())) != std::string::npos)
                    throw;
                throw error.within(path.string());
            }
        },
        Pictures::read);
}

}  // namespace headlight
