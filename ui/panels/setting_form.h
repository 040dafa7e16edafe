#pragma once

#include "core/attention/options.h"
#include "ui/panels/setting_control.h"

#include <QWidget>

#include <vector>

class QFormLayout;

namespace headlight {

/// Settings below one another, each with the control that its declaration asks for. A control lives as long
/// as its setting is shown, so that a drag is not interrupted by its own effect.
class SettingForm : public QWidget {
    Q_OBJECT
public:
    struct Row {
        Option option;
        OptionValue value;
        bool decided_by_image = false;
    };

    /// The controls' ids begin with `prefix`.
    explicit SettingForm(QString prefix, QWidget* parent = nullptr);

    void show_settings(const std::vector<Row>& rows);
    /// Tab comes to the form's controls from this one, whenever they are made. It must outlive the form.
    void set_tab_anchor(QWidget& before) { tab_anchor_ = &before; }

    QSize minimumSizeHint() const override;

signals:
    void edited(int row, const headlight::OptionValue& value, const QString& merge);

protected:
    bool event(QEvent* event) override;

private:
    void rebuild(const std::vector<Row>& rows);
    /// Where Tab stops in the form, in order.
    std::vector<QWidget*> tab_stops() const;
    void order_tabs();
    void remove_first_row();

    QString prefix_;
    QFormLayout* layout_;
    QWidget* tab_anchor_ = nullptr;
    std::vector<std::string> declared_;
    std::vector<SettingControl> controls_;
};

}  // namespace headlight
