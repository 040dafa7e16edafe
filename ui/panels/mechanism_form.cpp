#include "ui/panels/mechanism_form.h"

#include "core/io/grid_columns.h"
#include "core/workbench/mechanism_edits.h"
#include "core/workbench/spec_axes.h"
#include "ui/models/document.h"
#include "ui/panels/number_control.h"
#include "ui/panels/setting_control.h"
#include "ui/panels/wrap_rows.h"
#include "ui/views/describe.h"

#include <QEvent>
#include <QFormLayout>
#include <QLabel>

#include <utility>

namespace headlight {
namespace {

ParameterValue value_of(const MechanismParameter& parameter, const ParameterValues& values) {
    const auto given = values.find(parameter.name);
    return given == values.end() ? parameter.standard : given->second;
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
    : MechanismForm(document, QStringLiteral("parameter_"), std::nullopt, parent) {}

MechanismForm::MechanismForm(Document& document, QString prefix, std::optional<std::string> only,
                             QWidget* parent)
    : QWidget(parent), document_(document), prefix_(std::move(prefix)), only_(std::move(only)),
      rows_(new QFormLayout(this)) {
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setHorizontalSpacing(8);
    rows_->setVerticalSpacing(8);
    rows_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    connect(&document_, &Document::session_changed, this, &MechanismForm::refresh);
    connect(&document_, &Document::run_changed, this, &MechanismForm::refresh);
    refresh();
}

void MechanismForm::show_only(const std::string& name) {
    if (only_ == name)
        return;
    only_ = name;
    rebuild();
    refresh();
}

void MechanismForm::reset() { document_.edit(reset_knobs(document_.session())); }

void MechanismForm::refresh() {
    if (const Mechanism* current = find_mechanism(document_.session().mechanism);
        !is_same(current, mechanism_)) {
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
    stops_.clear();
    if (!mechanism_)
        return;
    QString taken = letters_of_left_panels();
    for (const MechanismParameter& parameter : mechanism_->parameters) {
        if (only_ && *only_ != parameter.name)
            continue;
        QWidget* control = make_control(parameter);
        const QString words = QString::fromStdString(parameter.label);
        auto* label =
            new QLabel(only_ ? words : with_key(words, taken));  // elsewhere others have the letters
        label->setBuddy(control);
        label->setToolTip(QString::fromStdString(parameter.help));
        rows_->addRow(label, control);
    }
    if (only_)
        setVisible(rows_->rowCount() > 0);
    if (!had_focus.isEmpty() && !focus_setting(stops_, had_focus))
        emit focus_lost();
}

QSize MechanismForm::minimumSizeHint() const {
    return {wrapped_width(*rows_), QWidget::minimumSizeHint().height()};
}

bool MechanismForm::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
        wrap_rows(*rows_, width());
    return QWidget::event(event);
}

QWidget* MechanismForm::make_control(const MechanismParameter& parameter) {
    const QString name = QString::fromStdString(parameter.name);
    const SettingControl control =
        make_setting_control(as_option(parameter), prefix_ + name,
                             [this, &parameter](const OptionValue& value, const QString& merge) {
                                 document_.edit(set_knob(document_.session(), parameter,
                                                         as_parameter_value(value), merge.toStdString()));
                             });
    stops_.insert(stops_.end(), control.stops.begin(), control.stops.end());
    showers_.push_back([this, control, &parameter](const ParameterValues& values) {
        auto* number = qobject_cast<NumberControl*>(control.widget);
        if (const auto run = document_.run(); run && run->plan && number && parameter.name == "heads")
            number->set_stops(divisors(run->plan->query_width, parameter.maximum));
        const PatchedPicture& image = document_.session().sequence.image;
        const bool decided = image && is_grid_columns(parameter.name);
        control.show(as_option_value(decided ? ParameterValue(image.columns) : value_of(parameter, values)));
        if (is_grid_columns(parameter.name))
            show_decided_by_image(control, QString::fromStdString(parameter.help), decided);
    });
    return control.widget;
}

}  // namespace headlight
