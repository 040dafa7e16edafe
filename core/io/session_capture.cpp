#include "core/io/session_capture.h"

#include "core/analysis/token_units.h"
#include "core/figure/another_text.h"
#include "core/io/capture_file.h"
#include "core/io/headvis_tree.h"
#include "core/io/session_model.h"
#include "core/io/trace_file.h"
#include "core/map/aligned_maps.h"
#include "core/map/maps_trace.h"
#include "core/map/trace_maps.h"

#include <utility>

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// The maps of a file, with tokens as the capture that a session shows has them.
Capture capture_in(const fs::path& file, const SessionCapture& shown) {
    Capture capture = is_capture(file)
                          ? open_capture(file)
                          : Capture{maps_of(std::make_shared<const Trace>(read_trace(file))), {}};
    capture.maps = in_units(std::move(capture.maps), shown.unit, shown.spelling);
    return capture;
}

/// What was made of both files.
std::string both_readings(const Capture& first, const Capture& second) {
    const bool are_both = !first.reading.empty() && !second.reading.empty();
    return first.reading + (are_both ? " The other: " : "") + second.reading;
}

std::string name_of(const fs::path& file) {
    return (is_capture(file) ? captured_file(file) : file).stem().string();
}

/// Returns the labels of the tokens of all sites.
TokenLabels names_in(const Trace& trace) {
    TokenLabels names = trace.tokens;
    for (const auto& [site, tokens] : trace.joined_tokens)
        add_names(tokens, names);
    return names;
}

/// Two traces with all of their stages; nothing where some token has no partner that is its own.
std::optional<ComparedTraces> whole_traces(const SessionCapture& capture, const fs::path& other) {
    const auto named = [&](const fs::path& path) {
        Trace trace = spelled(read_trace(path), capture.spelling);
        trace.name = name_of(path);
        trace.session.clear();  // it comes back to the one alone
        return trace;
    };
    Trace first = named(capture.file), second = named(other);
    if (!have_common_token(names_in(first), names_in(second)))
        return std::nullopt;  // they are paired by their places, which has to be said
    ComparedTraces traces = compared_traces(std::move(first), std::move(second));
    return traces.trace.left_out.empty() ? std::optional(std::move(traces)) : std::nullopt;
}

}  // namespace

std::string joined_sentences(const std::string& first, const std::string& second) {
    return first + (first.empty() || second.empty() ? "" : " ") + second;
}

ComparedTraces captured_traces(const SessionCapture& capture, const std::optional<std::string>& other) {
    const fs::path file = capture.file;
    const bool are_traces = other && !is_capture(file) && !is_capture(*other);
    if (are_traces && capture.unit == TokenUnit::token)
        if (auto traces = whole_traces(capture, *other))
            return std::move(*traces);
    if (capture.unit == TokenUnit::token && !other && !is_capture(file))
        return {spelled(read_trace(file), capture.spelling), {}};
    Capture own = capture_in(file, capture);
    if (!other) {
        ComparedTraces alone{trace_of(own.maps, name_of(file)), {}, own.reading};
        alone.trace.counted_heads = counted_heads_around(captured_file(file));
        return alone;
    }
    Capture second = capture_in(*other, capture);
    std::string reading = both_readings(own, second);
    ComparedTraces traces =
        compared_traces({name_of(file), std::move(own.maps)}, {name_of(*other), std::move(second.maps)});
    traces.reading = std::move(reading);
    return traces;
}

Capture captured_maps(const SessionCapture& capture, const std::optional<std::string>& other) {
    Capture own = capture_in(capture.file, capture);
    if (!other)
        return own;
    const Capture second = capture_in(*other, capture);
    ComparedMaps compared = compared_maps(own.maps, second.maps);
    return {std::move(compared.maps), joined_sentences(both_readings(own, second), compared.left_out)};
}

std::optional<std::string> other_capture(const Session& session) {
    return session.capture && session.has_counterpart() ? std::optional(session.counterpart->value)
                                                        : std::nullopt;
}

bool is_of_counterpart(const Error& error, const Session& session) {
    const ErrorDetail& detail = error.detail();
    const std::optional<std::string> other = other_capture(session);
    return detail.what == comparing_maps || (other && detail.where.starts_with(*other));
}

ColourRange first_range(const fs::path& file) {
    return has_large_maps(file) ? RangeKind::percentiles : RangeKind::fitted;
}

Session with_capture(Session session, const fs::path& file, const ColourRange& range) {
    const std::string name = fs::absolute(file).lexically_normal().string();
    if (session.attends_elsewhere() != name) {
        session.figure = for_another_text(session.figure);
        session.figure.range = range;
    }
    session.model.reset();
    session.counterpart.reset();
    session.capture = SessionCapture{.file = name};
    session.view = in_view(session.view, ViewKind::grid);
    session.view.selection = {};
    session.view.selection.query = last_row;  // until it is known whether the first one says more
    session.view.decoding_step.reset();
    return session;
}

}  // namespace headlight
