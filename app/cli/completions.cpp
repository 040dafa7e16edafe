#include "app/cli/completions.h"

#include "app/cli/cli.h"

namespace headlight {
namespace {

/// `text` within the quotes ' of a shell.
std::string quoted(std::string_view text, std::string_view quote_inside) {
    std::string inside = "'";
    for (const char letter : text)
        if (letter == '\'')
            inside += quote_inside;
        else
            inside += letter;
    return inside + '\'';
}

std::string joined_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text.append(text.empty() ? "" : " ").append(word);
    return text;
}

std::string words_of(WordList list) { return list ? joined_words(list()) : std::string(); }

enum class Value { none, words, file, folder, anything };
Value kind_of_value(const Flag& option) {
    return option.value.empty()             ? Value::none
           : option.words                   ? Value::words
           : option.value.ends_with("FILE") ? Value::file
           : option.value == "DIR"          ? Value::folder
                                            : Value::anything;
}

/// The names of an option, separated by `separator`: "-o|--output".
std::string names_of_option(const Flag& option, std::string_view separator) {
    const std::string short_name(option.short_name);
    return (short_name.empty() ? short_name : short_name + std::string(separator)) + std::string(option.name);
}

constexpr std::string_view help_summary = "the options of a command in sections, with examples";

std::string command_names() {
    std::vector<std::string> names;
    for_each_command([&](const Command& command) { names.emplace_back(command.name); });
    return joined_words(names);
}

std::string program_options(std::string_view separator) {
    return names_of_option(help_option, separator) + std::string(separator) +
           names_of_option(version_option, separator);
}

/// The line of bash that offers the values of an option; nothing where it has none.
std::string bash_values(const Command& command, const Flag& option) {
    const auto line = [&](const std::string& offer) {
        const std::string name = std::string(command.name).append(":");
        std::string text = "        ";
        if (!option.short_name.empty())
            text.append(name).append(option.short_name).append("|");
        return text.append(name).append(option.name).append(") ").append(offer).append(";;\n");
    };
    switch (kind_of_value(option)) {
    case Value::none:
        return {};
    case Value::words:
        return line("words=" + quoted(words_of(option.words), "'\\''") + ' ');
    case Value::file:
        return line("paths=-f ");
    case Value::folder:
        return line("paths=-d ");
    case Value::anything:
        return line("");
    }
    return {};
}

/// What zsh calls what stands behind a colon: `:FILE:_files`.
std::string zsh_values(const Flag& option) {
    const std::string label =
        ':' + std::string(option.value == "NAME=VALUE" ? "ASSIGNMENT" : option.value) + ':';
    switch (kind_of_value(option)) {
    case Value::none:
        return {};
    case Value::words:
        return label + '(' + words_of(option.words) + ')';
    case Value::file:
        return label + "_files";
    case Value::folder:
        return label + "_files -/";
    case Value::anything:
        return label;
    }
    return {};
}

/// What stands in the brackets of an option of zsh.
std::string zsh_help(std::string_view help) {
    std::string escaped;
    for (const char letter : help) {
        if (letter == '[' || letter == ']' || letter == '\\')
            escaped += '\\';
        escaped += letter;
    }
    return escaped;
}

std::string zsh_option(const Flag& option) {
    const std::string values = zsh_values(option);
    const std::string start =
        option.repeatable ? "*" : std::string("(").append(names_of_option(option, " ")).append(")");
    std::string lines;
    const auto add = [&](std::string_view name) {
        std::string spec = start;
        spec.append(name).append("[").append(zsh_help(option.help)).append("]").append(values);
        lines.append("            ").append(quoted(spec, "'\\''")).append("\n");
    };
    add(std::string(option.name).append(values.empty() ? "" : "="));
    if (!option.short_name.empty())
        add(option.short_name);
    return lines;
}

std::string fish_option(const Command& command, const Flag& option) {
    std::string line = "complete -c headlight -n '__fish_seen_subcommand_from " + std::string(command.name) +
                       "' -l " + std::string(option.name.substr(2));
    if (!option.short_name.empty())
        line += " -s " + std::string(option.short_name.substr(1));
    switch (kind_of_value(option)) {
    case Value::none:
        break;
    case Value::words:
        line += " -x -a " + quoted(words_of(option.words), "\\'");
        break;
    case Value::file:
        line += " -r -F";
        break;
    case Value::folder:
        line += " -x -a '(__fish_complete_directories)'";
        break;
    case Value::anything:
        line += " -x";
        break;
    }
    return line + " -d " + quoted(option.help, "\\'") + '\n';
}

constexpr std::string_view bash_opening = R"(# bash completion for headlight
_headlight() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    local words= paths=
    # bash parts --name=value into three words.
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    COMPREPLY=()
    [ "$COMP_CWORD" -eq 1 ] && command=
    case "$command:$before" in
)";

constexpr std::string_view bash_closing = R"(            esac ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [ -n "$paths" ]; then
        local path
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$paths" -- "$word")
        compopt -o filenames 2>/dev/null
    fi
}
complete -F _headlight headlight
)";

}  // namespace

std::string bash_completion() {
    std::string text(bash_opening);
    for_each_command([&](const Command& command) {
        for (const Flag& option : command.options)
            text += bash_values(command, option);
    });
    text += "        *) case \"$command\" in\n"
            "            '') words='" +
            command_names() + " help " + program_options(" ") + "' paths=-f ;;\n" +
            "            help) [ \"$COMP_CWORD\" -gt 2 ] || words='" + command_names() + "' ;;\n";
    for_each_command([&](const Command& command) {
        std::string options;
        for (const Flag& option : command.options)
            options.append(options.empty() ? "" : " ").append(names_of_option(option, " "));
        text.append("            ").append(command.name).append(")\n                case \"$word\" in\n");
        text.append("                    -*) words=").append(quoted(options, "'\\''")).append(" ;;\n");
        text.append("                    *) words=").append(quoted(words_of(command.words), "'\\''"));
        text.append(command.reads_path ? " paths=-f" : "").append(" ;;\n                esac ;;\n");
    });
    return text.append(bash_closing);
}

std::string zsh_completion() {
    std::string text = "#compdef headlight\n# zsh completion for headlight\n_headlight() {\n"
                       "    local -a commands=(\n";
    for_each_command([&](const Command& command) {
        const std::string described = std::string(command.name).append(":").append(command.summary);
        text.append("        ").append(quoted(described, "'\\''")).append("\n");
    });
    text += "        'help:" + std::string(help_summary) + "'\n";
    text += "    )\n    if (( CURRENT == 2 )); then\n        _describe -t commands command commands\n"
            "        compadd -- " +
            program_options(" ") +
            "\n        _files\n        return\n    fi\n"
            "    local command=$words[2]\n    local -a specs\n    shift words\n    (( CURRENT-- ))\n    case "
            "$command in\n";
    for_each_command([&](const Command& command) {
        text.append("        ").append(command.name).append(")\n            specs=(\n");
        for (const Flag& option : command.options)
            text += zsh_option(option);
        const std::string words = std::string("(").append(words_of(command.words)).append(")");
        text += "            ";
        // The space keeps zsh from giving _alternative options of compadd, which it does not take.
        if (command.words && command.reads_path)
            text.append("'1:name: _alternative \"names:name:")
                .append(words)
                .append("\" \"files:file:_files\"'");
        else if (command.words)
            text.append("'1:name:").append(words).append("'");
        else if (command.reads_path)
            text.append("'1:file:_files'");
        text += "\n            )\n            _arguments $specs ;;\n";
    });
    text += "        help) _arguments '1:command:(" + command_names() + ")' ;;\n";
    return text + "    esac\n}\n_headlight \"$@\"\n";
}

std::string fish_completion() {
    const std::string at_start = "complete -c headlight -n __fish_use_subcommand ";
    std::string text = "# fish completion for headlight\n";
    for (const Flag* option : {&help_option, &version_option})
        text += at_start + "-l " + std::string(option->name.substr(2)) + " -s " +
                std::string(option->short_name.substr(1)) + " -d " + quoted(option->help, "\\'") + '\n';
    text += at_start + "-f -a help -d " + quoted(help_summary, "\\'") +
            "\ncomplete -c headlight -n '__fish_seen_subcommand_from help' -f -a " +
            quoted(command_names(), "\\'") + '\n';
    for_each_command([&](const Command& command) {
        const std::string name(command.name);
        text += at_start + "-a " + name + " -d " + quoted(command.summary, "\\'") + '\n';
        const std::string here = "complete -c headlight -n '__fish_seen_subcommand_from " + name + "' ";
        if (!command.reads_path)
            text += here + "-f\n";
        if (command.words)
            text += here + "-a " + quoted(words_of(command.words), "\\'") + '\n';
        for (const Flag& option : command.options)
            text += fish_option(command, option);
    });
    return text;
}

}  // namespace headlight
