#include "ui/panels/training_knobs.h"

#include "core/attention/spec_words.h"
#include "core/tensor/error.h"
#include "core/workbench/spec_axes.h"
#include "ui/models/window_settings.h"
#include "ui/panels/setting_form.h"

#include <QFormLayout>

#include <algorithm>

namespace headlight {
namespace {

/// What attends in a recipe where it may have knobs. A recurrent host takes a name that is a score's or a
/// normaliser's for that alone, and has windows of its own in place of masks.
const Mechanism* mechanism_with_knobs(const Recipe& recipe) {
    const std::string& name = recipe.attention;
    const Mechanism* mechanism = recipe.attentions.empty() ? find_mechanism(name) : nullptr;
    if (!mechanism || !is_recurrent(recipe.host.value()))
        return mechanism;
    const bool is_part = headlight::value_of<ScoreType>(name) || headlight::value_of<NormalizerType>(name) ||
                         is_masked(build_spec(*mechanism, {}).mask);
    return is_part ? nullptr : mechanism;
}

/// Heads of a Transformer are a field of their own, which decides.
bool has_heads_field(const Recipe& recipe) { return !is_recurrent(recipe.host.value()); }

/// Those that say something: the place of a layer in the model decides where its keys come from.
std::vector<const MechanismParameter*> all_knobs(const Mechanism* mechanism) {
    std::vector<const MechanismParameter*> knobs;
    if (mechanism)
        for (const MechanismParameter& each : mechanism->parameters)
            if (each.name != "source")
                knobs.push_back(&each);
    return knobs;
}

QString values_key(const Mechanism& mechanism) {
    return QStringLiteral("train/knobs/") + QString::fromStdString(mechanism.id);
}

/// "size=4", as --set takes it.
QStringList written_values(const ParameterValues& values) {
    QStringList lines;
    for (const auto& [name, value] : values)
        lines << QString::fromStdString(name + '=' + to_string(value));
    return lines;
}

ParameterValues remembered_values(const Mechanism& mechanism, const QStringList& lines) {
    ParameterValues values;
    for (const MechanismParameter* knob : all_knobs(&mechanism)) {
        const QString name = QString::fromStdString(knob->name) + QChar('=');
        const auto line =
            std::ranges::find_if(lines, [&](const QString& each) { return each.startsWith(name); });
        if (line == lines.end())
            continue;
        try {
            values[knob->name] = parse_value(*knob, line->mid(name.size()).toStdString());
        } catch (const Error&) {
            continue;  // by a version whose knob took it
        }
    }
    return values;
}

}  // namespace

TrainingKnobs::TrainingKnobs(WindowSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings), form_(new SettingForm(QStringLiteral("train_knob_"))) {
    form_->hide();
    connect(form_, &SettingForm::edited, this, [this](int row, const OptionValue& value) {
        set(*shown_knobs()[static_cast<std::size_t>(row)], as_parameter_value(value));
    });
}

void TrainingKnobs::add_rows(QFormLayout& form, QWidget& before) {
    form.addRow(form_);
    form_->set_tab_anchor(before);
}

void TrainingKnobs::remember(const Recipe& recipe) {
    const Mechanism* mechanism = mechanism_with_knobs(recipe);
    if (!mechanism)
        return;
    settings_.set_value(values_key(*mechanism), written_values(recipe.values));
    if (is_same(mechanism, mechanism_)) {  // of which other values are shown
        mechanism_ = nullptr;
        show_values();
    }
}

void TrainingKnobs::show_for(const Recipe& recipe) {
    const Mechanism* mechanism = mechanism_with_knobs(recipe);
    if (is_same(mechanism, mechanism_) && shows_heads_ != has_heads_field(recipe))
        return;
    mechanism_ = mechanism;
    shows_heads_ = !has_heads_field(recipe);
    values_.clear();
    if (mechanism)
        values_ = remembered_values(*mechanism, settings_.value(values_key(*mechanism)).toStringList());
    // Knobs of one name may have another range in the next mechanism: none of its controls stays.
    form_->show_settings({});
    show_values();
}

Recipe TrainingKnobs::added_to(Recipe recipe) const {
    if (!mechanism_ || !is_same(mechanism_with_knobs(recipe), mechanism_))
        return recipe;
    recipe.values = values_;
    if (has_heads_field(recipe))
        recipe.values.erase("heads");
    return recipe;
}

void TrainingKnobs::set(const MechanismParameter& knob, const ParameterValue& value) {
    // The default is no value: what needs none may do without the whole program, which is faster.
    if (value == knob.standard)
        values_.erase(knob.name);
    else
        values_[knob.name] = value;
    settings_.set_value(values_key(*mechanism_), written_values(values_));
    show_values();
    emit edited();
}

std::vector<const MechanismParameter*> TrainingKnobs::shown_knobs() const {
    std::vector<const MechanismParameter*> knobs = all_knobs(mechanism_);
    if (!shows_heads_)
        std::erase_if(knobs, [](const MechanismParameter* knob) { return knob->name == "heads"; });
    return knobs;
}

void TrainingKnobs::show_values() {
    std::vector<SettingForm::Row> rows;
    for (const MechanismParameter* knob : shown_knobs()) {
        const auto given = values_.find(knob->name);
        rows.push_back(
            {as_option(*knob), as_option_value(given == values_.end() ? knob->standard : given->second)});
    }
    form_->show_settings(rows);
}

}  // namespace headlight
