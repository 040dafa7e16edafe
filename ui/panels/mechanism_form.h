#pragma once

#include "core/catalog/mechanism.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QFormLayout;

namespace headlight {

class Document;

/// The knobs of the current mechanism, each made from its declaration: a slider with a field, a check box or
/// a choice.
class MechanismForm : public QWidget {
    Q_OBJECT
public:
    explicit MechanismForm(Document& document, QWidget* parent = nullptr);
    /// A form elsewhere, whose controls have ids that begin with `prefix`, of the knob `only` alone.
    MechanismForm(Document& document, QString prefix, std::optional<std::string> only,
                  QWidget* parent = nullptr);

    /// Shows the knob of that name alone; the form is away where the mechanism has none.
    void show_only(const std::string& name);
    /// All knobs at their defaults.
    void reset();

    QSize minimumSizeHint() const override;

signals:
    /// The control that had the keyboard is gone: the new mechanism has no such knob.
    void focus_lost();

protected:
    bool event(QEvent* event) override;

private:
    void rebuild();
    void refresh();
    QWidget* make_control(const MechanismParameter& parameter);

    Document& document_;
    QString prefix_;
    std::optional<std::string> only_;
    const Mechanism* mechanism_ = nullptr;
    QFormLayout* rows_;
    /// One per control: shows the value that the session has.
    std::vector<std::function<void(const ParameterValues&)>> showers_;
    std::vector<QWidget*> stops_;  ///< where Tab stops in them
};

}  // namespace headlight
