#pragma once

#include "core/workbench/spec_axes.h"
#include "ui/panels/setting_form.h"

#include <QWidget>

class QLabel;

namespace headlight {

class WordCombo;
class WrappedLabel;

/// One axis of "Build your own": its word, what that means, its settings, and what is wrong with it.
class ComposerRow : public QWidget {
    Q_OBJECT
public:
    /// `label` has the letter that reaches the choice.
    ComposerRow(const SpecAxis& axis, const QString& label, QWidget* parent = nullptr);

    const SpecAxis& axis() const { return axis_; }
    void show_spec(const AttentionSpec& spec, bool on_image);
    void show_impossible(const std::map<std::string, std::string>& reasons);
    /// Empty: nothing is wrong.
    void show_problem(const QString& problem);

signals:
    /// Another word: `change` is what to do to the spec.
    void chosen(const std::function<void(headlight::AttentionSpec&)>& change);
    /// A setting of the word: likewise.
    void edited(const std::function<void(headlight::AttentionSpec&)>& change, const QString& merge);

private:
    void set(int row, const OptionValue& value, const QString& merge);

    const SpecAxis& axis_;
    std::vector<AxisSetting> settings_;
    WordCombo* words_;
    WrappedLabel* meaning_;
    WrappedLabel* problem_;
    SettingForm* form_;
};

}  // namespace headlight
