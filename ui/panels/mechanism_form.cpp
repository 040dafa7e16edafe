#include "ui/panels/mechanism_form.h"

#include "ui/models/document.h"
#include "ui/panels/describe.h"
#include "ui/panels/number_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>

namespace headlight {
namespace {

using Kind = MechanismParameter::Kind;

ParameterValue value_of(const MechanismParameter& parameter, const ParameterValues& values) {
    const auto given = values.find(parameter.name);
    return given == values.end() ? parameter.standard : given->second;
}

double as_number(const ParameterValue& value) {
    return std::holds_alternative<Index>(value) ? double(std::get<Index>(value)) : std::get<double>(value);
}

/// "bottom_right" as a person writes it.
QString in_words(const std::string& choice) {
    return QString::fromStdString(choice).replace(QChar('_'), QChar(' '));
}

/// The numbers of heads that a width can be split into.
std::vector<double> divisors(Index width, double most) {
    std::vector<double> found;
    for (Index heads = 1; heads <= width && double(heads) <= most; ++heads)
        if (width % heads == 0)
            found.push_back(double(heads));
    return found;
}

}  // namespace

MechanismForm::MechanismForm(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), rows_(new QFormLayout(this)) {
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setHorizontalSpacing(8);
    rows_->setVerticalSpacing(8);
    rows_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    rows_->setRowWrapPolicy(QFormLayout::WrapLongRows);
    connect(&document_, &Document::session_changed, this, &MechanismForm::refresh);
    connect(&document_, &Document::run_changed, this, &MechanismForm::refresh);
    refresh();
}

void MechanismForm::reset() {
    Session next = document_.session();
    next.values.clear();
    document_.edit(tr("Reset to defaults"), std::move(next));
}

void MechanismForm::refresh() {
    if (const Mechanism* current = find_mechanism(document_.session().mechanism); current != mechanism_) {
        mechanism_ = current;
        rebuild();
    }
    for (const auto& show : showers_)
        show(document_.session().values);
}

void MechanismForm::rebuild() {
    const QWidget* focused = focusWidget();
    const QString had_focus = focused && focused->hasFocus() ? focused->objectName() : QString();
    while (rows_->rowCount() > 0)
        rows_->removeRow(0);
    showers_.clear();
    if (!mechanism_)
        return;
    QString taken = QStringLiteral("fevphqkstdbonxrai");  // menus, and the fixed controls beside this form
    int spare = 2;                                        // Alt+1 is the seed of the token vectors
    for (const MechanismParameter& parameter : mechanism_->parameters) {
        QWidget* control = make_control(parameter);
        auto* label = new QLabel(with_key(QString::fromStdString(parameter.label), taken, spare++));
        label->setBuddy(control);
        label->setToolTip(QString::fromStdString(parameter.help));
        rows_->addRow(label, control);
    }
    if (had_focus.isEmpty())
        return;
    if (auto* same = findChild<QWidget*>(had_focus))
        same->setFocus();
    else
        emit focus_lost();
}

QWidget* MechanismForm::make_control(const MechanismParameter& parameter) {
    const QString id = QStringLiteral("parameter_") + QString::fromStdString(parameter.name);
    const QString name = QString::fromStdString(parameter.label);
    const QString help = QString::fromStdString(parameter.help);
    switch (parameter.kind) {
    case Kind::boolean: {
        auto* box = new QCheckBox;
        describe(box, id, name, help);
        connect(box, &QCheckBox::clicked, this, [this, &parameter](bool on) { set(parameter, on, {}); });
        showers_.push_back([box, &parameter](const ParameterValues& values) {
            box->setChecked(std::get<bool>(value_of(parameter, values)));
        });
        return box;
    }
    case Kind::choice: {
        auto* combo = new QComboBox;
        describe(combo, id, name, help);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(8);
        ignore_passing_wheel(combo);
        for (const std::string& choice : parameter.choices)
            combo->addItem(in_words(choice), QString::fromStdString(choice));
        connect(combo, &QComboBox::activated, this, [this, combo, &parameter](int row) {
            set(parameter, combo->itemData(row).toString().toStdString(), {});
        });
        showers_.push_back([combo, &parameter](const ParameterValues& values) {
            const auto choice = std::get<std::string>(value_of(parameter, values));
            combo->setCurrentIndex(combo->findData(QString::fromStdString(choice)));
        });
        return combo;
    }
    case Kind::integer:
    case Kind::real:
        break;
    }
    return make_number(parameter);
}

QWidget* MechanismForm::make_number(const MechanismParameter& parameter) {
    const bool integer = parameter.kind == Kind::integer;
    auto* control =
        new NumberControl(QStringLiteral("parameter_") + QString::fromStdString(parameter.name),
                          QString::fromStdString(parameter.label), QString::fromStdString(parameter.help),
                          {parameter.minimum, parameter.maximum, integer, parameter.logarithmic,
                           QString::fromStdString(parameter.minimum_word)});
    connect(control, &NumberControl::edited, this, [this, integer, &parameter](double value, int gesture) {
        const QString merge =
            QStringLiteral("%1#%2").arg(QString::fromStdString(parameter.name)).arg(gesture);
        if (integer)
            set(parameter, static_cast<Index>(value), merge);
        else
            set(parameter, value, merge);
    });
    showers_.push_back([this, control, &parameter](const ParameterValues& values) {
        if (const auto run = document_.run(); run && parameter.name == "heads")
            control->set_stops(divisors(run->plan->query_width, parameter.maximum));
        control->set_value(as_number(value_of(parameter, values)));
    });
    return control;
}

void MechanismForm::set(const MechanismParameter& parameter, const ParameterValue& value,
                        const QString& merge) {
    Session next = document_.session();
    if (value == parameter.standard)
        next.values.erase(parameter.name);
    else
        next.values[parameter.name] = value;
    document_.edit(tr("Change %1").arg(QString::fromStdString(parameter.label).toLower()), std::move(next),
                   merge);
}

}  // namespace headlight
