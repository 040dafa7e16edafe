#include "app/cli/run_command.h"

#include "app/cli/arguments.h"
#include "app/cli/formula_notes.h"
#include "app/cli/offered_words.h"
#include "app/cli/output.h"
#include "app/cli/spec_document.h"
#include "app/cli/spec_path.h"
#include "app/cli/standard_streams.h"
#include "app/cli/unread_parameters.h"
#include "core/attention/executor.h"
#include "core/attention/overflow.h"
#include "core/attention/spec_json.h"
#include "core/attention/trace_program.h"
#include "core/attention/typed_formula.h"
#include "core/catalog/mechanism.h"
#include "core/io/files.h"
#include "core/io/foreign_file.h"
#include "core/io/grid_columns.h"
#include "core/io/image_session.h"
#include "core/io/inputs_file.h"
#include "core/io/json_text.h"
#include "core/io/map_table.h"
#include "core/io/mechanism_file.h"
#include "core/io/program_file.h"
#include "core/io/session_for_spec.h"
#include "core/io/session_words.h"
#include "core/io/trace_file.h"
#include "core/program/own_formula.h"
#include "ui/render/picture_image.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr std::uint64_t standard_seed = 1;

constexpr Flag run_options[] = {
    {"--spec",
     "FILE",
     "the attention as JSON (docs/spec.md), or one of your own mechanisms",
     {},
     false,
     nullptr,
     Flag::Reads::file},
    {"--formula",
     "FILE",
     "the attention as a formula, one line a stage (docs/formula.md)",
     {},
     false,
     nullptr,
     Flag::Reads::file},
    {"--set", "NAME=VALUE",
     "sets a parameter of the mechanism, or a field of the spec (score.activation=relu)", "", true},
    {"--inputs",
     "FILE",
     "token vectors, parameters, or both: .json, .safetensors, .csv (docs/files.md)",
     {},
     false,
     nullptr,
     Flag::Reads::file},
    {"--text",
     "TEXT",
     "text in place of --inputs; in cross attention the source, which is looked at",
     {},
     false,
     nullptr,
     Flag::Reads::text},
    {"--image",
     "FILE",
     "an image in place of --inputs: its patches are the tokens, in cross attention the keys",
     {},
     false,
     nullptr,
     Flag::Reads::file},
    {"--patches", "N", "into how many patches the image is cut from left to right (14)"},
    {"--target",
     "TEXT",
     "cross attention: the target, whose tokens are the queries; the text itself if not given",
     {},
     false,
     nullptr,
     Flag::Reads::text},
    {"--split", "HOW", "words (the default) or characters", {}, false, spellings<TokenSplit>},
    {"--vectors",
     "KIND",
     "english (the default), hashed, one_hot or random",
     {},
     false,
     spellings<VectorKind>},
    {"--dimension", "N", "width of the token vectors (64)"},
    {"--reduction",
     "HOW",
     "truncate (the default) or project: how vectors become narrower",
     {},
     false,
     spellings<Reduction>},
    {"--seed", "N", "draws the parameters that are not given, and whatever is random (1)"},
    {"--code",
     "LIBRARY",
     "what a .py is written in: numpy (the default) or torch",
     {},
     false,
     spellings<PythonLibrary>},
    memory_option,
    {"--output", "FILE",
     "where the trace goes: .json, .safetensors, .fods (a spreadsheet with formulas), .py (its lines of "
     "Python), "
     "or - for JSON on standard output",
     "-o"},
    {"--help", "", "this text", "-h"},
};
constexpr HelpSection run_sections[] = {{"What", "--spec"}, {"On what", "--inputs"}, {"And", "--seed"}};
constexpr std::string_view run_examples =
    R"(  headlight run scaled_dot_product --text "the bank of the river" -o t.json
  headlight run multi_head --set heads=4 --set position.type=sinusoidal -o -
  headlight run cross --text "a small kitten naps" --target "the cat sleeps" -o t.json
  echo "the cat sat" | headlight run soft --text - -o - | headlight render - -o map.png
)";
constexpr Command run_usage{
    "run",
    "MECHANISM | --spec FILE | --formula FILE [options] -o FILE",
    "Computes an attention and writes every stage of it. Without --inputs, --text and "
    "--image it runs on the mechanism's example. A FILE or TEXT that is - comes from "
    "standard input.",
    run_options,
    1,
    mechanism_ids,
    false,
    run_sections,
    run_examples,
    hint_of_run};

/// What to run: a mechanism of the catalogue, if one was named, and the spec in any case.
struct RunRequest {
    const Mechanism* mechanism = nullptr;
    AttentionSpec spec;
    std::string name = {};  ///< what the window calls a spec that no mechanism of the catalogue builds
    std::vector<std::string> unread = {};  ///< unread_fields() that somebody may have written into the file
};

/// On what a run is.
struct RunSequence {
    SequenceSettings settings;
    std::map<std::string, Tensor> parameters = {};  ///< those of a file that has nothing else
};

RunRequest named_mechanism(const Arguments& arguments, const std::vector<Assignment>& assignments) try {
    RunRequest request;
    request.mechanism = &mechanism(arguments.operands().front());
    request.name = request.mechanism->name;
    const auto& knobs = request.mechanism->parameters;
    ParameterValues values;
    std::vector<Assignment> fields;
    for (const Assignment& assignment : assignments) {
        const auto knob = std::ranges::find(knobs, assignment.name, &MechanismParameter::name);
        if (knob != knobs.end())
            values[assignment.name] = parse_value(*knob, assignment.value);
        else if (is_spec_path(assignment.name))
            fields.push_back(assignment);
        else
            values[assignment.name] = assignment.value;  // build_spec() says which names there are
    }
    request.spec = with_fields(build_spec(*request.mechanism, values), fields);
    refuse_unread_parameters(*request.mechanism, values, fields, request.spec);
    return request;
} catch (const UsageError&) {
    throw;
} catch (const Error& error) {
    throw UsageError(error);
}

RunRequest spec_file(const std::string& path, const std::vector<Assignment>& assignments) {
    CustomMechanism mechanism{std::filesystem::path(path).stem().string(), {}};
    bool is_written_by_program = false;
    unless_foreign("read spec", path, path, [&] {
        const std::string text = read_file(path, json_text_limit);
        in_file(path, [&] {
            const JsonDocument document = parse_json(text);
            is_written_by_program = is_mechanism(*document);
            if (is_written_by_program)
                mechanism = mechanism_from_json(*document);
            else
                mechanism.spec = spec_from_json(*document);
        });
    });
    RunRequest request{nullptr, with_fields(mechanism.spec, assignments), excerpt(mechanism.name)};
    if (!is_written_by_program)
        request.unread = unread_fields(request.spec);
    return request;
}

RunRequest formula_file(const std::string& path, const std::vector<Assignment>& assignments) {
    CustomMechanism mechanism;
    const std::string text = read_file(path, most_formula_bytes);
    in_file(path, [&] { mechanism = formula_mechanism(text, std::filesystem::path(path).stem().string()); });
    return {nullptr, with_fields(mechanism.spec, assignments), mechanism.name};
}

void require_one_request(const Arguments& arguments) {
    const int given = (arguments.has("--spec") ? 1 : 0) + (arguments.has("--formula") ? 1 : 0) +
                      (arguments.operands().empty() ? 0 : 1);
    if (given != 1)
        arguments.refuse("", "a mechanism (see headlight list), --spec FILE or --formula FILE",
                         given == 0 ? "none" : std::to_string(given) + " of them");
}

RunRequest requested_run(const Arguments& arguments) {
    const auto file = arguments.value("--spec");
    const std::vector<Assignment> assignments = parse_assignments(arguments.values("--set"));
    if (const auto formula = arguments.value("--formula"))
        return formula_file(*formula, assignments);
    return file ? spec_file(*file, assignments) : named_mechanism(arguments, assignments);
}

/// Texts of the command line, or else those of the mechanism's example (the worked example's for a spec).
void choose_texts(SequenceSettings& sequence, const Arguments& arguments, const RunRequest& request) {
    const bool is_cross = request.spec.source.type == SourceType::cross;
    const auto text = arguments.value("--text");
    const auto target = arguments.value("--target");
    if (target && !is_cross)
        arguments.refuse(
            "--target", "an attention with two texts; leave it out, or set source=cross where that is a knob",
            "one whose queries and keys come from one text");
    const bool has_image = arguments.has("--image");
    if (target && !text && !has_image)
        arguments.refuse("--target", "--text or --image with it, the source that is looked at", "none");
    if (has_image && target) {
        sequence.query_text = *target;
        return;
    }
    if (text) {
        sequence.query_text = target.value_or(*text);
        sequence.key_text = is_cross ? *text : "";
        return;
    }
    const ExampleInput& cross_example = mechanism("cross").example;
    if (is_cross && (!request.mechanism || request.mechanism->example.key.empty())) {
        sequence.query_text = cross_example.query;
        sequence.key_text = cross_example.key;
    } else if (request.mechanism) {
        sequence.query_text = request.mechanism->example.query;
        sequence.key_text = request.mechanism->example.key;
    } else {
        sequence.query_text = example_session().sequence.query_text;
    }
}

/// The image, read when all the rest of the command line is known to be right.
void choose_image(SequenceSettings& sequence, const Arguments& arguments) {
    const auto file = arguments.value("--image");
    if (!file) {
        if (arguments.has("--patches"))
            arguments.refuse("--patches", "--image with it", "none");
        return;
    }
    if (arguments.has("--text"))
        arguments.refuse("--text", "no --image: its patches are the tokens", "both");
    for (const Assignment& assignment : parse_assignments(arguments.values("--set")))
        if (is_grid_columns(assignment.name.substr(assignment.name.rfind('.') + 1)))
            arguments.refuse("--set " + assignment.name,
                             "no such field with --image, whose --patches are the columns", assignment.value);
    arguments.integer("--patches", 1, 1, most_patches);
    sequence.image = cut(read_picture(*file));
    sequence.image.columns = arguments.integer("--patches", sequence.image.columns, 1,
                                               most_patch_columns(*sequence.image.picture));
    sequence.image_name = shown_file(*file).filename();
}

/// Token vectors, and with them what parameters they have; or parameters alone, for a text or an image.
void choose_file(RunSequence& sequence, const std::string& file, const Arguments& arguments,
                 const RunRequest& request) {
    Inputs inputs = read_inputs(file, formula_parameter_names(request.spec));
    const bool has_parameters_alone = inputs.query.empty() && !inputs.key && !inputs.value;
    if (has_parameters_alone) {
        sequence.parameters = std::move(inputs.parameters);
        return;
    }
    if (arguments.has("--image"))
        arguments.refuse("--inputs", "no --image: its patches are the tokens", "both");
    for (const char* of_text : {"--text", "--target", "--split", "--vectors", "--dimension", "--reduction"})
        if (arguments.has(of_text))
            arguments.refuse(of_text, "no --inputs: the file has the token vectors", "both");
    sequence.settings.file = std::make_shared<const Inputs>(std::move(inputs));
    sequence.settings.file_name = shown_file(file).filename();
}

RunSequence requested_sequence(const Arguments& arguments, const RunRequest& request, std::uint64_t seed) {
    RunSequence sequence;
    SequenceSettings& settings = sequence.settings;
    VectorSettings& vectors = settings.vectors;
    settings.split = arguments.word("--split", settings.split);
    vectors.kind = arguments.word("--vectors", vectors.kind);
    vectors.dimension = arguments.integer("--dimension", vectors.dimension, 1, largest_dimension);
    vectors.reduction = arguments.word("--reduction", vectors.reduction);
    vectors.seed = seed;
    if (const auto file = arguments.value("--inputs"))
        choose_file(sequence, *file, arguments, request);
    if (!settings.file) {
        choose_texts(settings, arguments, request);
        choose_image(settings, arguments);
    }
    return sequence;
}

bool is_written_as_program(const std::string& extension) {
    return is_program_extension(extension) || extension == formula_extension;
}

/// The name is checked before anything is computed.
std::string run_output(const Arguments& arguments) {
    const auto path = arguments.value("--output");
    const std::string extension = path ? extension_of(*path) : "";
    const bool is_known =
        extension == ".json" || extension == ".safetensors" || is_written_as_program(extension);
    if (!path || (!is_standard_stream(*path) && !is_known))
        arguments.refuse("-o", "a file named .json, .safetensors, .fods, .py or .formula, or -",
                         path ? '"' + excerpt(*path) + '"' : "nothing");
    if (arguments.has("--code") && extension != ".py")
        arguments.refuse("--code", "it beside -o FILE.py", '"' + excerpt(*path) + '"');
    return *path;
}

/// A trace has at least six maps of every head. One that could not be read again is refused before it is
/// computed.
void require_readable_trace(const Plan& plan) {
    constexpr Index maps = 6;
    constexpr Index most_weights = static_cast<Index>(largest_file / sizeof(double)) / maps;
    const Index weights = plan.heads * plan.queries * plan.keys;
    if (weights > most_weights)
        throw Error({"record a trace", "",
                     "heads × queries × keys to be at most " + std::to_string(most_weights) + ", as " +
                         std::to_string(
                             static_cast<Index>(std::sqrt(static_cast<double>(most_weights / plan.heads)))) +
                         " tokens have",
                     std::to_string(weights)});
}

/// What a file has and the spec does not use: probably meant for another spec, perhaps a slip.
std::string unused_names(const Inputs& given, const Plan& plan) {
    std::string names;
    const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    if (given.key && !plan.inputs.key)
        add("key");
    if (given.value && !plan.inputs.value)
        add("value");
    for (const auto& [name, tensor] : given.parameters)
        if (std::ranges::find(plan.parameters, name, &ParameterInfo::name) == plan.parameters.end())
            add(name);
    return names;
}

/// What comes back to this run in the window; nothing where the vectors would make every figure heavy. A spec
/// that no mechanism of the catalogue builds is one's own.
std::string carried_session(const RunRequest& request, const RunSequence& sequence, std::uint64_t seed) {
    constexpr std::size_t longest = std::size_t(8) << 20;
    auto session = session_for_spec(request.spec, request.mechanism ? request.mechanism->id : "");
    if (!session) {
        session.emplace();
        adopt(*session, {request.name, request.spec});
    }
    const SequenceSettings& settings = sequence.settings;
    session->sequence = settings;
    session->seed = seed;
    session->view.view = ViewKind::heatmap;
    if (settings.image)
        *session = with_image(std::move(*session), settings.image, settings.image_name);
    if (settings.file && !settings.file->parameters.empty())
        session->origin = ParameterOrigin::file;
    for (const auto& [name, tensor] : sequence.parameters)
        session->edited[name] = std::make_shared<const Tensor>(tensor);
    std::string text = write_session(*session);
    return text.size() > longest ? std::string() : text;
}

Inputs run_inputs(const RunRequest& request, const RunSequence& sequence) {
    Inputs inputs = sequence_inputs(sequence.settings, request.spec.source.type);
    for (const auto& [name, tensor] : sequence.parameters)
        inputs.parameters[name] = tensor;
    return inputs;
}

/// Writes the run as a program in place of its trace; returns names in the inputs file that the spec does not
/// use.
std::string write_as_program(const RunRequest& request, const RunSequence& sequence, std::uint64_t seed,
                             PythonLibrary library, const std::string& output) {
    const Inputs inputs = run_inputs(request, sequence);
    const Plan checked = plan(request.spec, inputs, {.seed = seed});
    const std::string extension = extension_of(output);
    const auto as_formula = [&] {
        const OwnFormula own = own_formula(checked);
        return write_formula(own.spec, own.text);
    };
    write_file_atomically(output,
                          extension == formula_extension
                              ? as_formula()
                              : write_program(trace_program(checked, request.name), extension, library));
    return unused_names(inputs, checked);
}

struct Recorded {
    Trace trace;
    std::string unused;  ///< names in the inputs file that the spec does not use
};

Recorded recorded(const RunRequest& request, const RunSequence& sequence, std::uint64_t seed) {
    const Inputs inputs = run_inputs(request, sequence);
    const auto checked = std::make_shared<const Plan>(plan(request.spec, inputs, {.seed = seed}));
    require_readable_trace(*checked);
    Trace trace = record(checked);
    require_no_overflow(*checked, trace);
    trace.session = carried_session(request, sequence, seed);
    return {std::move(trace), unused_names(inputs, *checked)};
}

int run(const Arguments& arguments) {
    require_one_request(arguments);
    const std::string output = run_output(arguments);
    std::vector<std::filesystem::path> read;
    for (const char* option : {"--inputs", "--spec", "--formula", "--image"})
        if (const auto file = arguments.value(option))
            read.emplace_back(*file);
    refuse_overwriting(arguments, output, read);
    const std::uint64_t seed = arguments.seed("--seed", standard_seed);
    const auto library = arguments.word("--code", PythonLibrary::numpy);
    RunRequest request = requested_run(arguments);
    const RunSequence sequence = requested_sequence(arguments, request, seed);
    if (const PatchedPicture& image = sequence.settings.image)
        set_grid_columns(request.spec, image.columns);
    const std::string inputs_file = arguments.value("--inputs").value_or("");
    const bool is_program = is_written_as_program(extension_of(output));
    Recorded run;
    try {
        if (is_program)
            run.unused = write_as_program(request, sequence, seed, library, output);
        else
            run = recorded(request, sequence, seed);
    } catch (const Error& error) {
        const auto formula = arguments.value("--formula");
        const bool is_of_formula = formula && error.detail().what == "formula";
        const std::string file = is_of_formula ? *formula : inputs_file;
        throw file.empty() ? error : error.within(file);
    }
    if (is_standard_stream(output))
        print(write_trace_json(run.trace));
    else if (!is_program)
        write_trace(run.trace, output);
    if (const auto formula = arguments.value("--formula"))
        note_formula(request.spec, *formula);
    for (const std::string& field : request.unread)
        remark(shown_file(*arguments.value("--spec")).string() + ": not read: " + field);
    if (!inputs_file.empty() && is_map_table(inputs_file))
        remark(inputs_file + ": its numbers, which look like weights, are taken for token vectors. "
                             "headlight render draws them as weights");
    if (!run.unused.empty())
        remark(shown_file(inputs_file).string() + ": this spec does not use " + run.unused);
    return 0;
}

}  // namespace

int run_command(const CommandUse& use) { return use(run_usage, run); }

}  // namespace headlight
