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
using Options = std::map<std::string, OptionValue>;

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

/// `option`, which counts tokens or groups of them, with the range that such counts have.
Option count_of_tokens(Option option);

/// "an integer from 1 to 512": what a refusal says it expected.
std::string accepted_values(const Option& option);

/// `given` with the defaults filled in. Throws Error{what, where/NAME, expected, got} for a name that nobody
/// declares, a value of another kind or out of range.
Options complete_options(const std::vector<Option>& declared, const Options& given, const std::string& what,
                         const std::string& where);

/// An option of a completed set. It must be there, of that kind.
template <class Value>
const Value& option(const Options& options, const std::string& name) {
    return std::get<Value>(options.at(name));
}

}  // namespace headlight
