#include "ui/panels/setting_control.h"

#include "core/workbench/edit.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"
#include "ui/views/lazy_combo.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QRegularExpression>
#include <QRegularExpressionValidator>

#include <algorithm>

namespace headlight {
namespace {

double as_number(const OptionValue& value) {
    return std::holds_alternative<Index>(value) ? double(std::get<Index>(value)) : std::get<double>(value);
}

SettingControl make_switch(const QString& id, const QString& name, const QString& help,
                           const SettingEdited& edited) {
    auto* box = new QCheckBox;
    describe(box, id, name, help);
    QObject::connect(box, &QCheckBox::clicked, box, [edited](bool on) { edited(on, {}); });
    return {box, {box}, [box](const OptionValue& value) { box->setChecked(std::get<bool>(value)); }};
}

SettingControl make_choice(const Option& option, const QString& id, const QString& name, const QString& help,
                           const SettingEdited& edited) {
    auto* combo = new LazyCombo(8);
    describe(combo, id, name, help);
    ignore_passing_wheel(combo);
    for (const std::string& choice : option.choices)
        combo->addItem(in_words(choice), QString::fromStdString(choice));
    QObject::connect(combo, &QComboBox::activated, combo,
                     [combo, edited](int row) { edited(combo->itemData(row).toString().toStdString(), {}); });
    return {combo, {combo}, [combo](const OptionValue& value) {
                combo->setCurrentIndex(combo->findData(QString::fromStdString(std::get<std::string>(value))));
            }};
}

SettingControl make_number(const Option& option, const QString& id, const QString& name, const QString& help,
                           const SettingEdited& edited) {
    const bool integer = std::holds_alternative<Index>(option.standard);
    // A hand cannot aim at 3 of 65,536 places of the same size.
    const bool too_fine = integer && option.minimum >= 1 && option.maximum > 1000;
    auto* control =
        new NumberControl(id, name, help,
                          {option.minimum, option.maximum, integer, option.logarithmic || too_fine,
                           QString::fromStdString(option.minimum_word)});
    QObject::connect(control, &NumberControl::edited, control,
                     [id, integer, edited](double value, int gesture) {
                         const QString merge = QString::fromStdString(gesture_key(id.toStdString(), gesture));
                         if (integer)
                             edited(static_cast<Index>(value), merge);
                         else
                             edited(value, merge);
                     });
    return {control, {control->slider(), control->field()}, [control](const OptionValue& value) {
                control->set_value(as_number(value));
            }};
}

/// "0, 3, −1"
QString list_text(const std::vector<Index>& list) {
    QStringList numbers;
    for (const Index number : list)
        numbers << QString::number(number);
    return numbers.join(QStringLiteral(", "));
}

SettingControl make_list(const Option& option, const QString& id, const QString& name, const QString& help,
                         const SettingEdited& edited) {
    auto* field = new QLineEdit;
    describe(field, id, name, help);
    field->setPlaceholderText(QObject::tr("numbers, separated by commas"));
    field->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[-−0-9, ]*")), field));
    QObject::connect(field, &QLineEdit::editingFinished, field,
                     [field, edited, least = option.minimum, most = option.maximum] {
                         std::vector<Index> list;
                         const QString text = QString(field->text()).replace(QChar(u'−'), QChar(u'-'));
                         for (const QString& part :
                              text.split(QRegularExpression(QStringLiteral("[, ]+")), Qt::SkipEmptyParts))
                             list.push_back(
                                 static_cast<Index>(std::clamp(double(part.toLongLong()), least, most)));
                         field->setText(list_text(list));
                         edited(list, {});
                     });
    return {field, {field}, [field](const OptionValue& value) {
                if (!field->hasFocus() || !field->isModified())
                    field->setText(list_text(std::get<std::vector<Index>>(value)));
            }};
}

}  // namespace

QString in_words(const std::string& word) {
    return QString::fromStdString(word).replace(QChar('_'), QChar(' '));
}

bool focus_setting(const std::vector<QWidget*>& stops, const QString& id) {
    const auto same = std::ranges::find(stops, id, &QObject::objectName);
    if (id.isEmpty() || same == stops.end())
        return false;
    (*same)->setFocus();
    return true;
}

void show_decided_by_image(const SettingControl& control, const QString& effect, bool decided) {
    const QString said = decided
                             ? QObject::tr("As many as the image has patches across: that is set where the "
                                           "image is, in the panel “Sequence”")
                             : effect;
    control.widget->setEnabled(!decided);
    std::vector<QWidget*> parts = control.stops;
    parts.push_back(control.widget);
    for (QWidget* part : parts) {
        part->setToolTip(said);
        part->setAccessibleDescription(said);
    }
}

SettingControl make_setting_control(const Option& option, const QString& id, const SettingEdited& edited) {
    const QString name = QString::fromStdString(option.label), help = QString::fromStdString(option.help);
    if (std::holds_alternative<bool>(option.standard))
        return make_switch(id, name, help, edited);
    if (std::holds_alternative<std::string>(option.standard))
        return make_choice(option, id, name, help, edited);
    if (std::holds_alternative<std::vector<Index>>(option.standard))
        return make_list(option, id, name, help, edited);
    return make_number(option, id, name, help, edited);
}

}  // namespace headlight
