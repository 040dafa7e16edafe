#include "ui/models/open_file.h"

#include "core/figure/another_text.h"
#include "core/graph/formula_syntax.h"
#include "core/io/capture_file.h"
#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/io/image_session.h"
#include "core/io/inputs_file.h"
#include "core/io/mechanism_file.h"
#include "core/io/session_capture.h"
#include "core/io/session_model.h"
#include "core/io/session_place.h"
#include "core/io/shipped_models.h"
#include "core/io/trace_file.h"
#include "core/io/written_by.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"
#include "core/text/utf8_text.h"
#include "core/workbench/mechanism_edits.h"
#include "core/workbench/model_edits.h"
#include "core/workbench/run_session.h"
#include "ui/render/export.h"
#include "ui/render/picture_image.h"
#include "ui/render/side_file.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace headlight {
namespace {

std::string lower_extension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

Session with_text(Session session, const std::string& text) {
    if (session.model)
        return with_source(std::move(session), text);
    session = on_its_mechanism(std::move(session));
    if (session.sequence.image)
        session = without_image(std::move(session));
    session.sequence.query_text = text;
    session.sequence.file = nullptr;
    session.sequence.file_name.clear();
    return session;
}

OpenedFile open_text(const std::filesystem::path& path, const Session& current) {
    const std::string text = utf8_text(read_file(path, longest_text));
    bool is_long = false;
    // Splitting refuses what is not UTF-8, and empty text.
    if (!current.model) {
        const auto tokens = static_cast<Index>(split_text(text, current.sequence.split).size());
        require_length("text", tokens);
        is_long = tokens * tokens > most_pairs;
    }
    return {
        OpenedFile::Kind::text, {}, [text, is_long](Session now) {
            now = with_text(std::move(now), text);
            now.figure = for_another_text(now.figure);
            if (is_long)  // of thousands of tokens each has a small weight: up to 1 the maps would stay dark
                now.figure.range = RangeKind::fitted;
            return now;
        }};
}

OpenedFile with_session(OpenedFile::Kind kind, Session session, std::string_view text) {
    std::string remark = changed_data_note(text, session);
    return {kind, std::move(session), {}, std::move(remark)};
}

/// A session that was saved inside a lesson is shown there again. Without the lesson it is a session still.
OpenedFile of_session(const std::string& text, const std::filesystem::path& path) {
    SessionFile file = read_session_of(path, text);
    OpenedFile opened = with_session(OpenedFile::Kind::session, std::move(file.session), text);
    if (!file.lesson)
        return opened;
    try {
        opened.lesson = OpenedLesson{open_lesson_at(*file.lesson), *file.lesson};
    } catch (const Error& error) {
        opened.missing_lesson =
            std::string("It was saved inside a lesson that cannot be opened: ") + error.what();
    }
    return opened;
}

/// The session that an exported figure carries, or that stands beside one without room for it.
OpenedFile of_figure(const std::string& session) {
    return with_session(OpenedFile::Kind::figure, parse_session(session), session);
}

/// A figure that carries its session is that session; any other picture is an image.
OpenedFile open_picture(const std::filesystem::path& path) {
    const std::string bytes = read_file(path);
    const auto view = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
    if (const auto session = embedded_session(view))
        return of_figure(*session);
    // What may throw comes before the result is put together.
    const PatchedPicture image = cut(parse_picture(view));
    return {OpenedFile::Kind::image, {}, [image, name = path.filename().string()](Session now) {
                return with_image(std::move(now), image, name);
            }};
}

OpenedFile open_figure(const std::filesystem::path& path) {
    const std::string bytes = read_file(path);
    const auto session =
        embedded_session(QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())));
    if (!session)
        throw Error({"open figure", "", "a figure that Headlight exported, which carries its session",
                     "a picture without one"});
    return of_figure(*session);
}

/// Maps that were computed elsewhere: the session names their file, and the run reads it.
OpenedFile open_captured(const std::filesystem::path& path) {
    return {OpenedFile::Kind::capture,
            {},
            [file = std::filesystem::absolute(path), range = first_range(path)](Session now) {
                return with_capture(std::move(now), file, range);
            }};
}

/// A trace comes back as the session that made it: the window computes its numbers again. One of numbers
/// alone is a capture.
OpenedFile open_trace(const Trace& trace, const std::filesystem::path& path) {
    if (trace.session.empty())
        return open_captured(path);
    return {OpenedFile::Kind::trace, found_in(parse_session(trace.session), path), {}};
}

OpenedFile of_mechanism(const CustomMechanism& mechanism) {
    return {OpenedFile::Kind::mechanism, {}, [mechanism](Session now) {
                return choose_own_mechanism(std::move(now), mechanism).after;
            }};
}

OpenedFile with_parameters(const Inputs& inputs) {
    std::map<std::string, std::shared_ptr<const Tensor>> parameters;
    for (const auto& [name, tensor] : inputs.parameters)
        parameters[name] = std::make_shared<const Tensor>(tensor);
    return {OpenedFile::Kind::parameters, {}, [parameters](Session now) {
                for (const auto& [name, tensor] : parameters)
                    now.edited[name] = tensor;
                return now;
            }};
}

OpenedFile open_inputs(const std::filesystem::path& path, const Session& current) {
    auto inputs = std::make_shared<const Inputs>(read_inputs(path, own_parameter_names(current)));
    if (inputs->query.empty()) {
        OpenedFile parameters = with_parameters(*inputs);
        parameters.into = [into = std::move(parameters.into)](Session now) {
            now.figure = for_another_text(now.figure);
            return into(std::move(now));
        };
        return parameters;
    }
    require_length("query", inputs->query.rows());
    require_length("key", inputs->key_tokens().rows());
    return {OpenedFile::Kind::inputs, {}, [inputs, name = path.filename().string()](Session now) {
                if (now.sequence.image)
                    now = without_image(std::move(now));
                now = on_its_mechanism(std::move(now));
                now.figure = for_another_text(now.figure);
                now.sequence.file_name = name;
                now.sequence.file = inputs;
                if (!inputs->parameters.empty())
                    now.origin = ParameterOrigin::file;
                return now;
            }};
}

/// Sessions, traces and inputs have the same extensions; what is no inputs file says so in its "format".
bool says_format(const std::string& bytes, const char* format) {
    return bytes.find("\"headlight-" + std::string(format) + '/') != std::string::npos;
}

/// Whatever a reader says gets the name of the file in front, once. What another program made is named.
template <class Read>
OpenedFile named(const std::filesystem::path& path, const Read& read) {
    const std::string name = path.filename().string();
    return unless_foreign(
        "open file", path, name,
        [&] {
            try {
                return read();
            } catch (const Error& error) {
                if (error.detail().where.find(visible(name)) != std::string::npos)
                    throw;
                throw error.within(name);
            } catch (const std::bad_alloc&) {
                throw Error({"open file", name, "a file whose content fits in memory", "a larger one"});
            }
        },
        Pictures::read);
}

OpenedFile open_model_in(const std::filesystem::path& folder) {
    const std::string name = whole_name(folder.string());
    const std::shared_ptr<const TaskModel> model = open_model(name).model;
    return {OpenedFile::Kind::model, {}, [name, model](Session now) {
                return with_model(std::move(now), name, *model);
            }};
}

OpenedFile open_by_extension(const std::filesystem::path& path, const Session& current) {
    if (std::filesystem::is_directory(path))
        return open_model_in(path);
    const std::string extension = lower_extension(path);
    if (extension == ".txt")
        return open_text(path, current);
    if (is_picture_name(path))
        return open_picture(path);
    if (may_carry_session(path))
        return open_figure(path);
    if (extension == ".json") {
        const std::string text = read_file(path);
        if (says_format(text, "trace"))  // first: a trace may have a session inside
            return open_trace(parse_trace_json(text), path);
        if (says_format(text, "session"))
            return is_side_file(path) ? of_figure(text) : of_session(text, path);
        if (says_format(text, "mechanism"))  // last: a session may have one inside
            return of_mechanism(parse_mechanism(text));
        if (says_format(text, "model"))
            return open_model_in(std::filesystem::absolute(path).parent_path());
        return open_inputs(path, current);
    }
    if (extension == ".safetensors") {
        const std::string bytes = read_file(path);
        return says_format(bytes, "trace") ? open_trace(parse_trace_safetensors(bytes), path)
                                           : open_inputs(path, current);
    }
    if (extension == formula_extension)
        return of_mechanism(formula_mechanism(read_file(path, most_formula_bytes), path.stem().string()));
    if (extension == ".csv")
        return open_inputs(path, current);
    throw Error({"open file", "",
                 ".txt, .csv, .json, .safetensors, .formula, an image, or an exported " +
                     extension_list(carries_session),
                 extension.empty() ? "a file without an extension" : "“" + excerpt(extension) + "”"});
}

OpenedFile as_counterpart(const Counterpart& counterpart) {
    return {OpenedFile::Kind::counterpart, {}, [counterpart](Session now) {
                if (now.allows(counterpart.kind)) {
                    now.counterpart = counterpart;
                    now.figure.differences = true;
                }
                return now;
            }};
}

}  // namespace

OpenedFile open_file(const std::filesystem::path& path, const Session& current) {
    if (const auto session = session_beside(path))
        return named(*side_file(path), [&] { return of_figure(*session); });
    // Before it is named for what another program made it: NumPy's arrays are read here.
    if (is_capture(path)) {
        const std::filesystem::path file = captured_file(path);
        // What it has, not yet its numbers: what cannot be one is refused here.
        std::string reading = open_capture(file).reading;
        OpenedFile opened = open_captured(file);
        opened.remark = std::move(reading);
        return opened;
    }
    return named(path, [&] { return open_by_extension(path, current); });
}

OpenedFile open_other_capture(const std::filesystem::path& path, const Session& current) {
    const std::string other = std::filesystem::absolute(path).lexically_normal().string();
    captured_maps(current.capture.value_or(SessionCapture()), other);  // as above
    return as_counterpart({Counterpart::Kind::capture, other});
}

OpenedFile open_other_model(const std::filesystem::path& folder, const Session&) {
    return named(folder, [&] {
        const std::string name = whole_name(folder.string());
        open_model(name);
        return as_counterpart({Counterpart::Kind::model, name});
    });
}

OpenedFile open_parameters(const std::filesystem::path& path, const Session& current) {
    return named(path, [&] {
        const Inputs inputs = read_inputs(path, own_parameter_names(current));
        if (inputs.parameters.empty())
            throw Error(
                {"open parameters", "parameters", "W_q, W_k or another parameter by its name", "none"});
        return with_parameters(inputs);
    });
}

}  // namespace headlight
