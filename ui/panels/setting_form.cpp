#include "ui/panels/setting_form.h"

#include "core/io/grid_columns.h"
#include "ui/panels/wrap_rows.h"

#include <QEvent>
#include <QFormLayout>
#include <QLabel>

namespace headlight {

SettingForm::SettingForm(QString prefix, QWidget* parent)
    : QWidget(parent), prefix_(std::move(prefix)), layout_(new QFormLayout(this)) {
    layout_->setContentsMargins(12, 0, 0, 0);
    layout_->setHorizontalSpacing(8);
    layout_->setVerticalSpacing(6);
    layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void SettingForm::show_settings(const std::vector<Row>& rows) {
    // Two patterns may both have a "size", and mean another one.
    std::vector<std::string> declared;
    declared.reserve(rows.size());
    for (const Row& row : rows)
        declared.push_back(row.option.name + '\n' + row.option.help);
    if (declared != declared_) {
        declared_ = std::move(declared);
        rebuild(rows);
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        controls_[row].show(rows[row].value);
        if (is_grid_columns(rows[row].option.name))
            show_decided_by_image(controls_[row], QString::fromStdString(rows[row].option.help),
                                  rows[row].decided_by_image);
    }
    setVisible(!rows.empty());
}

std::vector<QWidget*> SettingForm::tab_stops() const {
    std::vector<QWidget*> stops;
    for (const SettingControl& control : controls_)
        stops.insert(stops.end(), control.stops.begin(), control.stops.end());
    return stops;
}

/// What is made last would be last of the whole window.
void SettingForm::order_tabs() {
    if (!tab_anchor_ || tab_anchor_->window() != window())
        return;
    QWidget* before = tab_anchor_;
    for (QWidget* stop : tab_stops()) {
        setTabOrder(before, stop);
        before = stop;
    }
}

QSize SettingForm::minimumSizeHint() const {
    return {wrapped_width(*layout_), QWidget::minimumSizeHint().height()};
}

bool SettingForm::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
        wrap_rows(*layout_, width());
    return QWidget::event(event);
}

void SettingForm::rebuild(const std::vector<Row>& rows) {
    const QWidget* focused = focusWidget();
    const QString had_focus = focused && focused->hasFocus() ? focused->objectName() : QString();
    while (layout_->rowCount() > 0)
        remove_first_row();
    controls_.clear();
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Option& option = rows[row].option;
        controls_.push_back(make_setting_control(option, prefix_ + QString::fromStdString(option.name),
                                                 [this, row](const OptionValue& value, const QString& merge) {
                                                     emit edited(static_cast<int>(row), value, merge);
                                                 }));
        auto* label = new QLabel(QString::fromStdString(option.label));
        label->setBuddy(controls_.back().widget);
        label->setToolTip(QString::fromStdString(option.help));
        layout_->addRow(label, controls_.back().widget);
    }
    order_tabs();
    focus_setting(tab_stops(), had_focus);
}

void SettingForm::remove_first_row() {
    const QFormLayout::TakeRowResult row = layout_->takeRow(0);
    for (QLayoutItem* item : {row.labelItem, row.fieldItem}) {
        // Later: it may be this control that is telling of an edit.
        item->widget()->hide();
        item->widget()->setObjectName({});
        item->widget()->deleteLater();
        delete item;
    }
}

}  // namespace headlight
