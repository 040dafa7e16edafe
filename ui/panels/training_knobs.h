#pragma once

#include "core/model/recipe.h"

#include <QObject>

#include <vector>

class QFormLayout;
class QWidget;

namespace headlight {

class SettingForm;
class WindowSettings;

/// The knobs of the mechanism that a training attends with, without those that the model decides. In
/// recurrent hosts scores and normalisers have none. What a person sets is remembered for each mechanism.
class TrainingKnobs : public QObject {
    Q_OBJECT
public:
    explicit TrainingKnobs(WindowSettings& settings, QObject* parent = nullptr);

    /// `before` comes before the knobs for who goes on with Tab.
    void add_rows(QFormLayout& form, QWidget& before);
    /// What show_for() shows from now on where the recipe's mechanism attends.
    void remember(const Recipe& recipe);
    /// Shows the knobs of what attends in `recipe`, which says its host.
    void show_for(const Recipe& recipe);
    /// `recipe` with what is set here, if it has the mechanism whose knobs are shown.
    Recipe added_to(Recipe recipe) const;

signals:
    void edited();

private:
    void set(const MechanismParameter& knob, const ParameterValue& value);
    std::vector<const MechanismParameter*> shown_knobs() const;
    void show_values();

    WindowSettings& settings_;
    SettingForm* form_;
    const Mechanism* mechanism_ = nullptr;  ///< null: nothing with knobs attends
    bool shows_heads_ = false;              ///< a recurrent host's mechanism has heads of its own
    ParameterValues values_;                ///< those that are not the default
};

}  // namespace headlight
