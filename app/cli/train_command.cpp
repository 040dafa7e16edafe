#include "app/cli/train_command.h"

#include "app/cli/arguments.h"
#include "app/cli/formula_notes.h"
#include "app/cli/offered_words.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/spec_path.h"
#include "app/cli/stop_signal.h"
#include "core/graph/formula_syntax.h"
#include "core/io/checkpoint_file.h"
#include "core/io/files.h"
#include "core/io/folders.h"
#include "core/io/layers_file.h"
#include "core/io/mechanism_file.h"
#include "core/io/model_folder.h"
#include "core/io/training_record_file.h"
#include "core/model/mechanism_site.h"
#include "core/model/model_words.h"
#include "core/model/recipe.h"
#include "core/model/watched_training.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr Index steps_of_an_epoch = 100;  ///< examples are made as they are needed: none comes twice
constexpr Index most_steps = 10'000'000;
constexpr Index measured_examples = 512;

/// What it takes; what is said of hosts follows from their declarations.
const Command& train_usage() {
    static const std::string hosts =
        list_in_words(spellings<HostType>(), "or") + "; what suits the task if not given";
    static const std::string copying_hosts =
        hosts_in_words(can_copy) + ": may say a word of the source as it is";
    static const Flag options[] = {
        {"--attention",
         "NAME",
         "a score (additive, dot, general ...), a normaliser (sparsemax, hard ...), or a mechanism of the "
         "catalogue that can learn: recurrent hosts have those that are asked one query at a time",
         {},
         false,
         attention_names},
        {"--formula",
         "FILE",
         "Transformers: what every layer attends with, as a formula (docs/formula.md), in place of "
         "--attention",
         {},
         false,
         nullptr,
         Flag::Reads::file},
        {"--set", "NAME=VALUE", "sets a parameter of the mechanism", "", true},
        {"--host", "HOST", hosts, {}, false, spellings<HostType>},
        {"--decoder",
         "STYLE",
         "recurrent hosts: bahdanau, luong, wrapper, TensorFlow's timing, or dense, without a state",
         {},
         false,
         spellings<DecoderStyle>},
        {"--hops", "N",
         "recurrent hosts: how often a step asks, each time with what it was given before (1)"},
        {"--copy", "", copying_hosts},
        {"--coverage-loss", "LAMBDA",
         "recurrent hosts: what it costs to look at a word again (See et al. 2017: 1)"},
        {"--width", "N", "width of the model's vectors; what suits the task if not given"},
        {"--heads", "N", "Transformers: heads, which divide the width (4; of a formula what it says, or 1)"},
        {"--layers",
         "N or FILE",
         "how many layers, what suits the task if not given; or, of a Transformer, a JSON file that says "
         "what each attends with, and which have keys and values of an earlier one, in place of --attention "
         "(docs/command-line.md)",
         {},
         false,
         nullptr,
         Flag::Reads::file},
        {"--turns", "N",
         "Transformers: how often the layers are gone through, with the same weights (1; universal: 4)"},
        {"--places",
         "WORD",
         "Transformers: how tokens are told their places: sinusoidal, learned, rotary, alibi, distances or "
         "none (what suits the task; none where a mechanism has its own)",
         {},
         false,
         spellings<PositionEncoding>},
        {"--segment", "N",
         "Transformers that attend to what they say: reads N tokens at a time and remembers the N before "
         "them; 0: all at once (0; xl: 16)"},
        {"--learning-rate", "R", "the learning rate at its peak; what suits the task if not given"},
        {"--steps", "N", "batches to learn from; what suits the task if not given"},
        {"--epochs", "N", "the same in hundreds of batches: no example comes twice"},
        {"--seed", "N", "draws the first weights and the examples (1)"},
        {"--threads", "N", "threads, each with its part of a batch (2); another number, other last digits"},
        memory_option,
        {"--half", "", "weights as 16-bit floats: half the file"},
        {"--checkpoint", "SECONDS", "how often to write what an interrupted training goes on from (30)"},
        {"--restart", "", "from the first step, where an interrupted training would go on"},
        {"--record", "FILE",
         "also writes what was seen of the training: loss, exact match, and where it looks at an example it "
         "never learns from; a name that ends in .safetensors, for `headlight render --view learning` and "
         "`--frames film`; DIR/record.safetensors lies in the model's folder"},
        {"--quiet", "", "no progress"},
        {"--output", "DIR", "folder of the model; named by task, attention and host if not given", "-o"},
        {"--help", "", "this text", "-h"},
    };
    static const Command usage{
        "train",
        "TASK [options] [-o DIR]",
        "Trains a model and writes it as a folder. An interrupted training goes on when the "
        "same command is given again. `headlight list` has the tasks.",
        options,
        1,
        task_ids,
        false,
        {},
        {},
        hint_of_training};
    return usage;
}

/// The mechanism's parameters that --set names.
ParameterValues requested_values(const Arguments& arguments, const std::string& attention) {
    ParameterValues values;
    const std::vector<Assignment> assignments = parse_assignments(arguments.values("--set"));
    if (assignments.empty())
        return values;
    const Mechanism* mechanism = find_mechanism(attention);
    if (!mechanism)
        arguments.refuse("--set", "--attention with a mechanism of the catalogue",
                         '"' + excerpt(attention) + '"');
    for (const Assignment& each : assignments) {
        const auto knob = std::ranges::find(mechanism->parameters, each.name, &MechanismParameter::name);
        if (knob != mechanism->parameters.end())
            values[each.name] = parse_value(*knob, each.value);
        else
            values[each.name] = each.value;  // build_spec() says which names there are
    }
    return values;
}

/// The file of --layers that says what each of them attends with; nothing where it says how many there are.
std::optional<std::string> layers_file(const Arguments& arguments) {
    auto given = arguments.value("--layers");
    if (!given || given->find_first_not_of("+-.0123456789") == std::string::npos)
        return std::nullopt;
    for (const char* other : {"--attention", "--set"})
        if (arguments.has(other))
            arguments.refuse(other, "no --layers FILE, which says what each layer attends with", "both");
    return given;
}

/// Heads that the file says, or one, are others where --heads says so.
AttentionSpec with_heads_of_model(AttentionSpec spec, Index heads) {
    if (spec.heads.type == HeadsType::single && heads > 1)
        spec.heads.type = HeadsType::multi;
    return with_heads(std::move(spec), heads);
}

/// As many layers as are asked for, each with the formula.
std::optional<LayerList> formula_layers(const Arguments& arguments) {
    const auto file = arguments.value("--formula");
    if (!file)
        return std::nullopt;
    for (const char* other : {"--attention", "--set"})
        if (arguments.has(other))
            arguments.refuse(other, "no --formula FILE, which says what each layer attends with", "both");
    LayerAttention layer;
    const std::string text = read_file(*file, most_formula_bytes);
    in_file(*file, [&] { layer.spec = formula_mechanism(text, *file).spec; });
    if (arguments.has("--heads"))
        layer.spec = with_heads_of_model(*layer.spec, arguments.integer("--heads", 1, 1, most_heads));
    constexpr Index standard_layers = 2;
    const Index layers = arguments.integer("--layers", standard_layers, 1, most_transformer_layers);
    LayerList list;
    list.all.assign(static_cast<std::size_t>(layers), layer);
    return list;
}

Recipe requested_recipe(const Arguments& arguments, const LayerList& layers) {
    if (arguments.operands().empty())
        arguments.refuse("", "a task (see headlight list)", "none");
    Recipe recipe;
    recipe.task = arguments.operands().front();
    recipe.attention = arguments.value("--attention").value_or("");
    if (arguments.has("--attention") && recipe.attention.empty())
        arguments.refuse("--attention", "a score, a normaliser or a mechanism", "no name");
    recipe.values = requested_values(arguments, recipe.attention);
    recipe.attentions = layers;
    if (arguments.has("--host"))
        recipe.host = arguments.word("--host", HostType::gru);
    if (arguments.has("--decoder"))
        recipe.style = arguments.word("--decoder", DecoderStyle::bahdanau);
    recipe.copies = arguments.has("--copy");
    recipe.coverage_loss =
        arguments.number("--coverage-loss", recipe.coverage_loss, 0, largest_coverage_loss);
    if (arguments.has("--width"))
        recipe.width = arguments.integer("--width", 1, 1, 1024);
    if (arguments.has("--heads"))
        recipe.heads = arguments.integer("--heads", 1, 1, most_heads);
    else if (arguments.has("--formula"))
        recipe.heads = layers.all.front().spec->heads.count();
    if (arguments.has("--layers") && layers.empty())
        recipe.layers = arguments.integer("--layers", 1, 1, most_transformer_layers);
    if (arguments.has("--turns"))
        recipe.turns = arguments.integer("--turns", 1, 1, most_turns);
    if (arguments.has("--places"))
        recipe.places = arguments.word("--places", PositionEncoding::sinusoidal);
    if (arguments.has("--segment"))
        recipe.segment = arguments.integer("--segment", 0, 0, longest_segment);
    recipe.hops = arguments.integer("--hops", recipe.hops, 1, most_hops);
    if (arguments.has("--learning-rate"))
        recipe.rate = arguments.number("--learning-rate", largest_rate, least_rate, largest_rate);
    if (arguments.has("--epochs") && arguments.has("--steps"))
        arguments.refuse("--epochs", "no --steps: they say the same", "both");
    if (arguments.has("--steps"))
        recipe.steps = arguments.integer("--steps", 1, 1, most_steps);
    if (arguments.has("--epochs"))
        recipe.steps =
            steps_of_an_epoch * arguments.integer("--epochs", 1, 1, most_steps / steps_of_an_epoch);
    recipe.seed = arguments.seed("--seed", recipe.seed);
    recipe.parts = arguments.integer("--threads", recipe.parts, 1, most_parts);
    return recipe;
}

Preparation requested_training(const Arguments& arguments, const LayerList& layers) try {
    const Recipe recipe = requested_recipe(arguments, layers);
    Preparation prepared = prepare(recipe);
    const bool has_cells = prepared.settings.model.is_recurrent();
    if (arguments.has("--copy") && !has_cells)
        arguments.refuse("--copy", "a recurrent host with words of its own: " + hosts_in_words(can_copy),
                         "a Transformer");
    for (const char* option : {"--decoder", "--coverage-loss"})
        if (arguments.has(option) && !has_cells)
            arguments.refuse(option, "a recurrent host: " + hosts_in_words(is_recurrent), "a Transformer");
    if (arguments.has("--heads") && has_cells)
        arguments.refuse("--heads", "a Transformer: host " + hosts_in_words(is_transformer),
                         "a recurrent host");
    return prepared;
} catch (const UsageError&) {
    throw;
} catch (const Error& error) {
    // A layer that cannot be is the file's, not the command line's.
    if (!layers.empty() && error.detail().where.starts_with("layer "))
        throw error.within(*arguments.value(arguments.has("--formula") ? "--formula" : "--layers"));
    throw UsageError(error);
}

/// What an interrupted training left in the folder, if it was this one.
void resume(Training& training, const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return;
    try {
        Checkpoint checkpoint = parse_checkpoint(read_file(file));
        if (const auto other = difference(training.settings(), checkpoint.settings))
            throw Error({"resume a training", other->where,
                         other->here + " (--restart begins anew, -o elsewhere)", other->there});
        training.resume(std::move(checkpoint.state));
    } catch (const Error& error) {
        throw error.within(file.string());
    }
}

void save_checkpoint(const Training& training, const fs::path& file) {
    write_file_atomically(file, write_checkpoint({training.settings(), training.checkpoint()}));
}

/// What is seen of the training, in a file that an interrupted one goes on with.
class Recording {
public:
    Recording(const Training& training, fs::path file)
        : file_(std::move(file)), watch_(training.settings().steps) {
        std::error_code ignored;
        if (training.steps() > 0 && fs::exists(file_, ignored)) {
            record_ = parsed(file_);
            record_.cut_after(training.steps());
            return;
        }
        record_.film = TrainingWatch::film_for(training.settings().steps);
        record_.text = filmed_example(training.model().task, 0);
        watch_.take_frame(training, record_);
    }

    void after_step(const Training& training, double loss) { watch_.after_step(training, loss, record_); }
    void save() const { write_file_atomically(file_, write_training_record(record_)); }

private:
    static TrainingRecord parsed(const fs::path& file) {
        try {
            return parse_training_record(read_file(file));
        } catch (const Error& error) {
            throw error.within(file.string());
        }
    }

    fs::path file_;
    TrainingWatch watch_;
    TrainingRecord record_;
};

/// The file of --record.
std::optional<fs::path> record_file(const Arguments& arguments) {
    const auto file = arguments.value("--record");
    if (file && fs::path(*file).extension() != ".safetensors")
        arguments.refuse("--record", "a name that ends in .safetensors", '"' + excerpt(*file) + '"');
    return file;
}

/// The signal that stopped the training; 0 when it came to its end.
int train(Training& training, const fs::path& checkpoint, std::chrono::seconds between, Recording* recording,
          ProgressReport& report) {
    const StopSignal stop;
    const Index steps = training.settings().steps;
    const Index between_measurements = std::clamp<Index>(steps / 8, 50, 250);
    TrainingProgress progress;
    progress.steps = steps;
    Clock::time_point saved = Clock::now();
    while (training.steps() < steps) {
        progress.loss = training.step();
        progress.step = training.steps();
        if (training.steps() % between_measurements == 0 && training.steps() < steps) {
            progress.exact_match = training.exact_match_rate(measured_examples);
            report.measurement(progress);
        }
        report.step(progress);
        if (recording)
            recording->after_step(training, progress.loss);
        if (stop.signal() != 0 || Clock::now() - saved >= between) {
            if (recording)
                recording->save();  // the checkpoint last: what is seen goes at least as far
            save_checkpoint(training, checkpoint);
            saved = Clock::now();
        }
        if (stop.signal() != 0)
            return stop.signal();
    }
    return 0;
}

std::string percent(double share) {
    char text[40];
    std::snprintf(text, sizeof text, "%.2f %%", 100 * share);
    return text;
}

std::string final_line(const TrainedModel& model, double goal, const fs::path& folder) {
    std::string line = folder.string();
    line += ": exact match " + percent(model.exact_match.share) + " of " +
            std::to_string(model.exact_match.examples) + " held-out examples";
    if (goal > 0) {
        line += model.exact_match.share >= goal ? ", the goal of " : ", under the goal of ";
        line += percent(goal);
        line += model.exact_match.share >= goal ? " is reached" : "";
    }
    line +=
        "; " + std::to_string(model.steps) + " steps, " + std::to_string(model.weights.size()) + " weights\n";
    return line;
}

/// With the weights as they are written.
TrainedModel measured(const Training& training, bool as_half) {
    TrainedModel model = trained_model(training, {});
    if (as_half)
        model = with_half_weights(std::move(model));
    model.exact_match = {exact_match_rate(*model.model, model.weights, training.settings().seed,
                                          final_examples, training.settings().parts),
                         final_examples};
    return model;
}

int train_model(const Arguments& arguments) {
    const std::optional<std::string> layers = layers_file(arguments);
    if (layers && arguments.has("--formula"))
        arguments.refuse("--layers", "how many layers, beside --formula", '"' + excerpt(*layers) + '"');
    const std::optional<LayerList> of_formula = formula_layers(arguments);
    const Preparation prepared = requested_training(arguments, of_formula ? *of_formula
                                                               : layers   ? read_layers(*layers)
                                                                          : LayerList());
    const std::chrono::seconds between(arguments.integer("--checkpoint", 30, 0, 86400));
    const fs::path folder = arguments.value("--output").value_or(prepared.name);
    require_model_place(folder);
    const std::optional<fs::path> watched = record_file(arguments);
    const OccupiedFolder ours(folder);
    const fs::path checkpoint = folder / checkpoint_name;

    Training training(prepared.settings);
    if (!arguments.has("--restart"))
        resume(training, checkpoint);
    const bool is_quiet = arguments.has("--quiet");
    if (of_formula && !is_quiet)
        note_formula(*of_formula->all.front().spec, *arguments.value("--formula"));
    if (training.steps() > 0 && !is_quiet)
        remark("goes on after step " + std::to_string(training.steps()));
    std::optional<Recording> recording;
    if (watched)
        recording.emplace(training, *watched);
    ProgressReport report(training.steps(), is_quiet);
    if (const int signal = train(training, checkpoint, between, recording ? &*recording : nullptr, report);
        signal != 0) {
        report.clear();
        remark("stopped after step " + std::to_string(training.steps()) + " of " +
               std::to_string(prepared.settings.steps) + "; the same command goes on from there");
        return 128 + signal;  // as shells count
    }
    report.clear();
    if (recording)
        recording->save();
    const bool as_half = arguments.has("--half");
    const TrainedModel model = measured(training, as_half);
    write_model_folder(model, folder, as_half ? StoredType::f16 : StoredType::f32);
    if (recording)
        recording->save();  // again: one in the folder went with what the model takes the place of
    print(final_line(model, prepared.goal, folder));
    return 0;
}

}  // namespace

int train_command(const CommandUse& use) { return use(train_usage(), train_model); }

}  // namespace headlight
