#pragma once

#include "core/tensor/tensor.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace headlight {

/// A setting of a component: on or off, a count, a number, a word, or a list of counts.
using OptionValue = std::variant<bool, Index, double, std::string, std::vector<Index>>;

/// Settings by name. Those that are left out have their default; a plan's spec has them all.
struct Options : std::map<std::string, OptionValue> {
    using map::map;

    // A setting by its kind: it must be there, as in a completed set. Whether it is there says contains().
    bool flag(const std::string& name) const { return std::get<bool>(at(name)); }
    Index count(const std::string& name) const { return std::get<Index>(at(name)); }
    double number(const std::string& name) const { return std::get<double>(at(name)); }
    const std::string& word(const std::string& name) const { return std::get<std::string>(at(name)); }
    const std::vector<Index>& list(const std::string& name) const {
        return std::get<std::vector<Index>>(at(name));
    }
};

/// One setting that a component declares. Readers, docs, controls and the builder of one's own mechanism are
/// made from it.
struct Option {
    /// Where it is read: only while the option of that name is one of these words.
    struct ReadWith {
        std::string name;
        std::vector<std::string> words;
        bool operator==(const ReadWith&) const = default;
    };

    std::string name;      ///< "base"
    std::string label;     ///< "Base"
    OptionValue standard;  ///< the default; decides the kind
    double minimum = 0;    ///< of counts (also those in a list) and numbers
    double maximum = 0;
    bool logarithmic = false;               ///< how a slider moves
    std::vector<std::string> choices = {};  ///< of a word; none: any text
    std::string help = {};                  ///< what it does to the formula, one sentence
    /// What the smallest value means when it does not mean itself: "automatic", "all". Empty when it does.
    std::string minimum_word = {};
    ReadWith read_with = {};  ///< no name: everywhere
};

/// The least and the most that a count or a number may be.
struct OptionRange {
    double least = 0, most = 0;
    bool is_logarithmic = false;  ///< how a slider moves
};
constexpr OptionRange logarithmic_range(double least, double most) { return {least, most, true}; }
/// What counts tokens or groups of them.
inline constexpr OptionRange token_counts = logarithmic_range(1, 65536);

// Options by their kind: name, label and default, and behind these what it does to the formula.

/// On or off.
Option flag_option(std::string name, std::string label, bool standard, std::string help);
/// One of `words`; where no other is named, the first is the default.
Option word_option(std::string name, std::string label, std::vector<std::string> words, std::string help,
                   std::string standard = {});
Option count_option(std::string name, std::string label, Index standard, OptionRange range, std::string help,
                    std::string minimum_word = {});
Option number_option(std::string name, std::string label, double standard, OptionRange range,
                     std::string help, std::string minimum_word = {});
/// Any number of counts, each in the range.
Option list_option(std::string name, std::string label, std::vector<Index> standard, OptionRange range,
                   std::string help, std::string minimum_word = {});

/// "an integer from 1 to 512": what a refusal says it expected.
std::string accepted_values(const Option& option);

/// `given` with the defaults filled in. Throws Error{what, where/NAME, expected, got} for a name that nobody
/// declares, a value of another kind or out of range.
Options complete_options(const std::vector<Option>& declared, const Options& given, const std::string& what,
                         const std::string& where);

}  // namespace headlight
