#include "ui/render/figure_file.h"

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
#include "core/io/shipped_models.h"
#include "core/io/trace_file.h"
#include "core/io/training_record_file.h"
#include "core/io/written_by.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"
#include "ui/render/export.h"
#include "ui/render/side_file.h"

namespace headlight {
namespace {

/// Says whose weights were random in a trace that `run` wrote: its numbers stand in the file, who gave the
/// parameters in the session. A session that cannot be run says nothing; the numbers are drawn without it.
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

FigureSource of_trace(Trace trace, const std::filesystem::path& path, TokenSpelling spelling) {
    FigureSource source;
    source.view.view = ViewKind::heatmap;
    if (!trace.session.empty()) {
        source.session = found_in(parse_session(trace.session), path);
        trace.name = source.session->model ? model_title(source.session->model->name)
                                           : comparison_names(*source.session).front();
        source.random_weights = random_weights_of(*source.session);
    }
    if (source.session && source.session->model)  // the first query of a decoder can only look at itself
        source.view.selection.query = last_row;
    source.trace = std::make_shared<const Trace>(spelled(std::move(trace), spelling));
    if (source.session && source.session->sequence.image)
        source.view = view_settings(*source.session);  // on colours from 0 to 1, an image would stay dark
    return source;
}

/// What is going to be drawn.
struct Asked {
    std::optional<ViewKind> view;
    AskedMaps maps;
};

/// A capture, or the maps of a trace, beside others or in other units.
FigureSource of_maps(const std::filesystem::path& path, const AskedMaps& asked) {
    if (asked.other_text)
        throw Error({"compare", "--with-text", "a session, whose mechanism or model can read it",
                     is_capture(path) ? "maps that were computed elsewhere" : "a trace without its session"});
    ComparedTraces traces = captured_traces(
        {.file = path.string(), .unit = asked.unit, .spelling = asked.spelling.value_or(TokenSpelling::text)},
        asked.other);
    FigureSource source;
    source.view.view = ViewKind::heatmap;
    source.view.differences = traces.other != nullptr;
    source.view.selection.query = last_row;
    const ColourRange range = first_range(path);
    if (!asked.other)  // differences have a range of their own
        source.view.range = range;
    source.trace = std::make_shared<const Trace>(std::move(traces.trace));
    source.untouched = std::move(traces.other);
    source.reading = std::move(traces.reading);
    source.session = with_capture(example_session(), path, range);
    source.session->capture->unit = asked.unit;
    source.session->capture->spelling = asked.spelling.value_or(TokenSpelling::text);
    source.session->counterpart = counterpart_asked_for(*source.session, asked);
    return source;
}

/// What is kept of a run goes by what is going to be drawn of it.
FigureSource of_session(Session session, const Asked& asked) {
    if (asked.maps.unit != TokenUnit::token && !session.capture)
        throw Error({"read maps", "--units", "a capture or a trace", "a session that runs"});
    if (asked.maps.spelling && !session.capture)
        throw Error({"read maps", "--tokens", "a capture or a trace", "a session that runs"});
    session.view.view = asked.view.value_or(session.view.view);
    if (session.capture && asked.maps.unit != TokenUnit::token)
        session.capture->unit = asked.maps.unit;
    if (session.capture)
        session.capture->spelling = asked.maps.spelling.value_or(session.capture->spelling);
    if (asked.maps.are_compared()) {
        session.counterpart = counterpart_asked_for(session, asked.maps);
        session.figure.differences = true;
    }
    return source_of(std::move(session));
}

/// `session` was read from `text`, which says what weights it was written with.
FigureSource of_written(Session session, const std::string& text, const Asked& asked) {
    std::string changed_data = changed_data_note(text, session);
    FigureSource source = of_session(std::move(session), asked);
    source.changed_data = std::move(changed_data);
    return source;
}

/// As it was drawn.
FigureSource of_figure(const std::string& text, const Asked& asked) {
    Session session = parse_session(text);
    const FigureTheme theme = session.view.theme;
    FigureSource source = of_written(std::move(session), text, asked);
    source.theme = theme;
    return source;
}

FigureSource of_inputs(Inputs inputs, const std::string& name, const Asked& asked) {
    Session session;
    session.mechanism = inputs.key ? "cross" : "scaled_dot_product";
    session.origin = inputs.parameters.empty() ? session.origin : ParameterOrigin::file;
    session.sequence.file = std::make_shared<const Inputs>(std::move(inputs));
    session.sequence.file_name = name;
    session.view.view = ViewKind::heatmap;
    return of_session(std::move(session), asked);
}

/// What a training wrote about itself, called after its folder or its file.
FigureSource of_training(TrainingRecord record, const std::filesystem::path& path) {
    FigureSource source;
    source.session = example_session();  // its panels name the file
    const std::filesystem::path named = path.filename() == training_record_name ? path.parent_path() : path;
    source.learning.push_back(
        {named.stem().string(), std::make_shared<const TrainingRecord>(std::move(record))});
    return source;
}

/// The three kinds of JSON and the two of safetensors say what they are.
bool says(const std::string& bytes, const char* format) { return bytes.find(format) != std::string::npos; }

FigureSource by_content(const std::filesystem::path& path, const Asked& asked) {
    const std::string bytes = read_document(path);
    const std::string name = path.filename().string(), extension = path.extension().string();
    const bool is_trace = says(bytes, extension == ".json" ? "\"headlight-trace/" : "headlight-trace/");
    const auto read = [&] {
        return extension == ".json" ? parse_trace_json(bytes) : parse_trace_safetensors(bytes);
    };
    if (is_trace && asked.maps.other_text)  // its session can read it, the numbers cannot
        if (const std::string session = read().session; !session.empty())
            return of_session(found_in(parse_session(session), path), asked);
    if (is_trace && !asked.maps.are_plain())
        return of_maps(path, asked.maps);
    if (const auto session =
            embedded_session(QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()))))
        return of_figure(std::string(*session), asked);
    if (extension == ".safetensors" && says(bytes, training_record_format))
        return of_training(parse_training_record(bytes), path);
    if (extension == ".safetensors")
        return is_trace ? of_trace(read(), path, asked.maps.spelling.value_or(TokenSpelling::text))
                        : of_inputs(parse_inputs_safetensors(bytes), name, asked);
    if (extension == ".csv")
        return of_inputs(parse_inputs_csv(bytes), name, asked);
    if (extension == ".json") {
        if (is_trace)
            return of_trace(read(), path, asked.maps.spelling.value_or(TokenSpelling::text));
        if (is_side_file(path) && says(bytes, "\"headlight-session/"))
            return of_figure(bytes, asked);
        return says(bytes, "\"headlight-session/")
                   ? of_written(found_in(parse_session(bytes), path), bytes, asked)
                   : of_inputs(parse_inputs_json_in(path, bytes), name, asked);
    }
    throw Error({"read file", "", "a trace, a session, token vectors, or a figure that carries its session",
                 may_carry_session(path) ? "a picture without one" : "a file of another kind"});
}

}  // namespace

std::optional<Counterpart> counterpart_asked_for(const Session& session, const AskedMaps& asked) {
    if (!asked.are_compared())
        return session.counterpart;
    Counterpart counterpart{Counterpart::Kind::text, asked.other_text.value_or(std::string())};
    if (asked.other)
        counterpart = {session.capture ? Counterpart::Kind::capture : Counterpart::Kind::model,
                       whole_name(*asked.other)};
    if (!session.allows(counterpart.kind))
        throw Error({"compare", asked.other ? "--with" : "--with-text",
                     asked.other ? "a model or a capture, beside which another one can stand"
                                 : "a text, in whose place another one can be read",
                     session.capture          ? "a capture"
                     : session.sequence.image ? "an image"
                     : session.sequence.file  ? "token vectors"
                                              : "a mechanism"});
    return counterpart;
}

FigureSource read_figure_file(const std::filesystem::path& path, std::optional<ViewKind> asked,
                              const AskedMaps& maps) {
    std::error_code ignored;
    if (const std::filesystem::path record = path / training_record_name;
        std::filesystem::is_regular_file(record, ignored))
        return read_figure_file(record);
    if (const auto session = session_beside(path))
        try {
            return of_figure(*session, {asked, maps});
        } catch (const Error& error) {
            throw error.within(side_file(path)->string());
        }
    if (is_capture(path))
        return of_maps(path, maps);
    return unless_foreign(
        "read file", path, path.string(),
        [&] {
            try {
                return by_content(path, {asked, maps});
            } catch (const Error& error) {
                if (error.detail().where.find(visible(path.filename().string())) != std::string::npos)
                    throw;
                throw error.within(path.string());
            }
        },
        Pictures::read);
}

}  // namespace headlight
