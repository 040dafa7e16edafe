#pragma once

#include "core/tensor/error.h"
#include "core/tensor/memory.h"
#include "core/tensor/tensor.h"
#include "core/tensor/words.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The command line itself is wrong: exit status 2 where any other Error is 1.
class UsageError : public Error {
public:
    using Error::Error;
    explicit UsageError(const Error& error) : Error(error) {}
};

/// The words that completions of a shell offer.
using WordList = std::vector<std::string> (*)();

struct Flag {
    /// What its value is read from: "-" is standard input.
    enum class Reads { nothing, file, text };

    std::string_view name;   ///< "--seed"
    std::string_view value;  ///< what stands for its value in the help: "N"; empty for a switch
    std::string_view help;
    std::string_view short_name = {};  ///< "-o"
    bool repeatable = false;
    WordList words = nullptr;  ///< values that it takes; null where these are paths (FILE, DIR) or anything
    Reads reads = Reads::nothing;
};

/// Options that belong together in the help, under a title.
struct HelpSection {
    std::string_view title;         ///< "What is drawn"
    std::string_view first_option;  ///< "--view": the section ends where the next one begins
};

/// An option of every command that reads files or runs attention.
inline constexpr Flag memory_option{"--memory", "AMOUNT",
                                    "refuses what takes more memory: 4GB, 512MB (half of the machine's)"};

class Arguments;
/// What is said of an option that the command lacks where --set may have been meant: " (...)", or nothing.
/// `others` is what else was given, before that option and behind it.
using SettingHint = std::string (*)(const std::string& name, const Arguments& others);

/// A subcommand's table of options: what is accepted, and what its --help prints.
struct Command {
    std::string_view name;      ///< "run"
    std::string_view synopsis;  ///< "MECHANISM | --spec FILE [options] -o FILE"
    std::string_view summary;   ///< one sentence
    std::span<const Flag> options;
    std::size_t most_operands = 0;
    WordList words = nullptr;  ///< names that its operand may be
    bool reads_path = false;   ///< its operand may be a file or a folder
    std::span<const HelpSection> sections = {};
    std::string_view examples = {};  ///< a command line each
    SettingHint setting_hint = nullptr;
};

std::string help_text(const Command& command);

/// What was given. `--name value` and `--name=value` are the same; `--` ends the options.
class Arguments {
public:
    /// Throws UsageError for an option that the table lacks, one without its value, one given twice, or an
    /// operand too many.
    Arguments(const Command& command, const std::vector<std::string>& arguments);

    bool has(std::string_view option) const { return values_.contains(option); }
    std::optional<std::string> value(std::string_view option) const;
    std::vector<std::string> values(std::string_view option) const;
    const std::vector<std::string>& operands() const { return operands_; }
    /// Nothing else was given.
    bool has_only(std::string_view option) const {
        return operands_.empty() && values_.size() == 1 && has(option);
    }

    /// Puts what `replace` makes of them in the place of the files and texts that are read: it is told the
    /// option, which is empty for an operand.
    using ReplaceInput =
        std::function<std::string(std::string_view option, Flag::Reads reads, const std::string& given)>;
    void replace_inputs(const ReplaceInput& replace);

    /// Throw UsageError when the value is not a number of that range, or not one of words<Value>().
    Index integer(std::string_view option, Index standard, Index minimum, Index maximum) const;
    double number(std::string_view option, double standard, double minimum, double maximum) const;
    std::uint64_t seed(std::string_view option, std::uint64_t standard) const;
    /// Bytes of --memory, 0 if it was not given: for a MemoryLimit while the command works.
    std::uint64_t memory() const;
    template <class Value>
    Value word(std::string_view option, Value standard) const {
        const std::string typed = value(option).value_or(to_word(standard));
        if (const auto value = value_of<Value>(typed))
            return *value;
        refuse(option, list_of(spellings<Value>()), quoted_with_hint(typed, spellings<Value>()));
    }

    [[noreturn]] void refuse(std::string_view where, const std::string& expected,
                             const std::string& got) const;

private:
    /// The table's option of that name; nullptr where there is none.
    const Flag* find_option(std::string_view typed) const;
    /// Called after all others have been read: the mechanism among them tells whether --set was meant.
    [[noreturn]] void refuse_unknown(const std::string& option) const;

    const Command& command_;
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
    std::vector<std::string> operands_;
};

/// What is done with a command: carried out, or described. Both live as long as the call.
using CommandUse = std::function<int(const Command& command, int (*work)(const Arguments&))>;

}  // namespace headlight
