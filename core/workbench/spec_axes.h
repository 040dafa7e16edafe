#pragma once

#include "core/attention/spec.h"
#include "core/catalog/mechanism.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

/// A knob of the catalogue in the words of a component's option: one kind of control serves both.
Option as_option(const MechanismParameter& parameter);
/// Kinds that a knob has.
ParameterValue as_parameter_value(const OptionValue& value);
OptionValue as_option_value(const ParameterValue& value);

/// One number, word or switch of a part of the spec, with where it stands.
struct AxisSetting {
    Option option;
    std::function<OptionValue(const AttentionSpec&)> value;
    std::function<void(AttentionSpec&, const OptionValue&)> set;
};

/// Whether it changes anything beside the others, as they are in the spec: a stretch factor without a way of
/// stretching does not.
bool is_read(const AxisSetting& setting, const std::vector<AxisSetting>& among, const AttentionSpec& spec);

struct AxisWord {
    std::string word;
    std::string meaning;
};

/// A part of the spec for which a person chooses a word: what "Build your own" has a row for. The mask, which
/// is composed, has its own (mask_parts.h).
struct SpecAxis {
    std::string id;  ///< "score", "sharing"
    std::string label;
    std::string help;             ///< what it does to the formula
    std::vector<AxisWord> words;  ///< of a part with many the plainest first, then those of the alphabet
    std::function<std::string(const AttentionSpec&)> word;
    /// Its settings get their defaults.
    std::function<void(AttentionSpec&, const std::string& word)> choose;
    /// Those that the chosen word has.
    std::function<std::vector<AxisSetting>(const AttentionSpec&)> settings;
};

/// In the order of the formula. The mask's row comes after the axis "position".
std::span<const SpecAxis> spec_axes();

/// Whether a run of the spec does what its word of the axis means. An algorithm that stands in the place of
/// score, selection and normaliser leaves the standard ones in the spec, and uses only those that it takes.
bool is_used(const SpecAxis& axis, const AttentionSpec& spec);

/// The axis that a refusal is about ("mask" among them); empty when it is about none of them.
std::string axis_of(const std::string& where, const std::string& what);

}  // namespace headlight
