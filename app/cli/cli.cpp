#include "app/cli/cli.h"

#include "app/cli/analyse_command.h"
#include "app/cli/arguments.h"
#include "app/cli/attend_command.h"
#include "app/cli/carry_out.h"
#include "app/cli/cite_command.h"
#include "app/cli/lesson_command.h"
#include "app/cli/list_command.h"
#include "app/cli/output.h"
#include "app/cli/render_command.h"
#include "app/cli/run_command.h"
#include "app/cli/train_command.h"
#include "core/io/installed_manual.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>

namespace headlight {
namespace {

constexpr const char* overview = R"(headlight: see what every attention head looks at

  headlight [FILE]                the window: a session, a capture of attention that was computed elsewhere
                                  (.npz, .npy, .safetensors, .json), a trace, an exported figure, text, an
                                  image, or token vectors
  headlight list [--json]         mechanisms and their parameters, the words of a spec, stages, colour maps,
                                  trained models, tasks and lessons
  headlight list --search QUERY   mechanisms by name, paper, year, property or the models that use them;
                                  list --timeline and list --tree draw them
  headlight run MECHANISM | --spec FILE [options] -o FILE
                                  computes an attention and writes every stage of it
  headlight render FILE [options] -o FILE
                                  draws a trace, a capture, a session, an exported figure or token vectors
  headlight attend MODEL --text TEXT [options] [-o FILE]
                                  lets a trained model answer, and writes what it looked at
  headlight train TASK [options] [-o DIR]
                                  trains a model
  headlight analyse FILE [options]
                                  says of each head of a capture, a trace, a session or a model what it
                                  looks at
  headlight lesson LESSON [-o FILE]
                                  a lesson as text, as a page to be read anywhere, or as a handout
  headlight cite [MECHANISM]...   how to cite Headlight, and the papers of mechanisms
  headlight help [COMMAND]        this text, or the options of a command in sections, with examples
  headlight --help | --version

A FILE that is - is standard input or, behind -o, standard output.
)";

enum ExitStatus { success = 0, bad_input = 1, bad_usage = 2 };

using Subcommand = int (*)(const CommandUse&);
struct NamedSubcommand {
    std::string_view name;
    Subcommand use;
};
constexpr std::array subcommands{
    NamedSubcommand{"list", list_command},     NamedSubcommand{"run", run_command},
    NamedSubcommand{"render", render_command}, NamedSubcommand{"attend", attend_command},
    NamedSubcommand{"train", train_command},   NamedSubcommand{"analyse", analyse_command},
    NamedSubcommand{"lesson", lesson_command}, NamedSubcommand{"cite", cite_command},
};

bool asks_for(const Flag& option, const std::string& argument) {
    return argument == option.name || argument == option.short_name;
}

constexpr std::string_view help_word = "help";
/// Ends the options, of which there are none before a command.
constexpr std::string_view options_end = "--";

/// Throws UsageError where there are more words than so many: each would be passed over in silence.
void refuse_more_than(std::size_t most, const std::vector<std::string>& arguments) {
    if (arguments.size() > most)
        throw UsageError(
            {"headlight", arguments.front(), "nothing behind it", '"' + excerpt(arguments[most]) + '"'});
}

const NamedSubcommand* find_subcommand(std::string_view name) {
    const auto* const found = std::ranges::find(subcommands, name, &NamedSubcommand::name);
    return found == subcommands.end() ? nullptr : found;
}

std::vector<std::string> subcommand_names() {
    std::vector<std::string> names;
    for (const NamedSubcommand& subcommand : subcommands)
        names.emplace_back(subcommand.name);
    return names;
}

void print_overview() {
    const std::filesystem::path manual = installed_manual();
    print(std::string(overview) + "\nExit status: " + exit_status_help + '\n' +
          (manual.empty() ? "" : "Manual, docs in these texts: " + manual.string() + '\n'));
}

bool asks_for_help(const std::string& argument) {
    return argument == help_word || asks_for(help_option, argument);
}

/// "help", and the command that it is asked about.
int help(std::vector<std::string> arguments) {
    std::erase(arguments, options_end);
    refuse_more_than(2, arguments);
    if (arguments.size() < 2 || asks_for_help(arguments[1])) {
        print_overview();
        return success;
    }
    const NamedSubcommand* asked = find_subcommand(arguments[1]);
    if (!asked)
        throw UsageError(
            {"help", "", list_of(subcommand_names()), quoted_with_hint(arguments[1], subcommand_names())});
    return asked->use([](const Command& command, int (*)(const Arguments&)) {
        print(help_text(command));
        return int(success);
    });
}

int dispatch(const std::vector<std::string>& arguments) {
    if (arguments.empty() || asks_for_help(arguments.front()))
        return help(arguments);
    if (arguments.front() == options_end)
        return dispatch({arguments.begin() + 1, arguments.end()});
    if (asks_for(version_option, arguments.front())) {
        refuse_more_than(1, arguments);
        print("headlight " HEADLIGHT_VERSION "\n");
        return success;
    }
    if (const NamedSubcommand* asked = find_subcommand(arguments.front()))
        return asked->use([&](const Command& command, int (*work)(const Arguments&)) {
            return carry_out(command, {arguments.begin() + 1, arguments.end()}, work);
        });
    std::vector<std::string> accepted = subcommand_names();
    accepted.insert(accepted.begin(), {"--help", "--version", std::string(help_word)});
    throw UsageError({"headlight", "", "a file or one of " + list_of(accepted),
                      quoted_with_hint(arguments.front(), accepted)});
}

int report(const std::string& message, ExitStatus status) {
    remark(message);
    return status;
}

}  // namespace

bool is_command_line(const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return false;
    const std::string& first = arguments.front();
    if (first == options_end && arguments.size() > 1)
        return is_command_line({arguments.begin() + 1, arguments.end()});
    if (find_subcommand(first) || asks_for_help(first) || asks_for(version_option, first) ||
        first.starts_with("--"))
        return true;
    // A bare word that is no file is a command, known or misspelt; the window would look for a file of that
    // name.
    std::error_code ignored;
    return first.find_first_of("./-") == std::string::npos && !std::filesystem::exists(first, ignored);
}

void for_each_command(const std::function<void(const Command&)>& visit) {
    for (const NamedSubcommand& subcommand : subcommands)
        subcommand.use([&](const Command& command, int (*)(const Arguments&)) {
            visit(command);
            return 0;
        });
}

int run_command_line(const std::vector<std::string>& arguments) try {
    return dispatch(arguments);
} catch (const UsageError& error) {
    return report(error.what(), bad_usage);
} catch (const Error& error) {
    return report(error.what(), bad_input);
} catch (const std::bad_alloc&) {
    return report(arguments.front() + ": expected what fits in memory, got more", bad_input);
} catch (const std::exception& error) {
    return report(error.what(), bad_input);
}

}  // namespace headlight
