#pragma once

#include "core/attention/options.h"

#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace headlight {

/// A control that was made from a declaration: a slider with a field, a check box, a choice, or a list of
/// numbers to type.
struct SettingControl {
    QWidget* widget = nullptr;
    std::vector<QWidget*> stops;  ///< where Tab stops in it, in order
    /// Shows a value without asking for anything.
    std::function<void(const OptionValue&)> show;
};

/// Gives the keyboard to the control of that id, where one of these is called so.
bool focus_setting(const std::vector<QWidget*>& stops, const QString& id);

/// What a person does with it. Changes with the same non-empty `merge` belong to one movement of the hand.
using SettingEdited = std::function<void(const OptionValue& value, const QString& merge)>;

/// `id` finds it in tests. The widget has no parent yet.
SettingControl make_setting_control(const Option& option, const QString& id, const SettingEdited& edited);

/// A setting that the image of the session decides (the columns of a grid): its control is off and says why.
/// `effect` is what the control says otherwise.
void show_decided_by_image(const SettingControl& control, const QString& effect, bool decided);

/// "bottom_right" as a person writes it.
QString in_words(const std::string& word);

}  // namespace headlight
