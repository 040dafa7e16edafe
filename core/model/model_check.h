#pragma once

#include "core/model/model_spec.h"

#include <span>

namespace headlight {

/// A number among the settings of a model, and what it may be. Files have it under its name.
template <class Settings, class Number>
struct SettingNumber {
    const char* name;
    Number Settings::*value;
    Number least, most;
    bool is_always_written = true;  ///< else where it is not standard: models without it keep their bytes
    bool (*exists)(const Settings&) = nullptr;  ///< always, if null
};

template <class Settings>
struct SettingNumbers {
    std::span<const SettingNumber<Settings, Index>> whole;
    std::span<const SettingNumber<Settings, double>> real;
};

/// All that there are: what is checked, read and written goes by this list.
template <class Settings>
SettingNumbers<Settings> numbers_of();
template <>
SettingNumbers<RecurrentConfiguration> numbers_of();
template <>
SettingNumbers<TransformerConfiguration> numbers_of();
template <>
SettingNumbers<AskedText> numbers_of();
template <>
SettingNumbers<LocalWindow> numbers_of();
template <>
SettingNumbers<Reinforcement> numbers_of();

/// Throws Error, with the name of the setting as its place ("heads", "window/radius"), for a model that there
/// cannot be, as far as its settings say it: the one place that does. Nothing is made: whether a mechanism
/// can stand at a site is seen when the model is.
void check(const ModelSpec& spec);

}  // namespace headlight
