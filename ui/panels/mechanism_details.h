#pragma once

#include "core/catalog/mechanism.h"

#include <QWidget>

class QLabel;

namespace headlight {

class WrappedLabel;

/// What there is to read about a mechanism: what to look for, what it is, what it costs, what is often
/// printed wrongly, where it comes from, and what to look at next.
class MechanismDetails : public QWidget {
    Q_OBJECT
public:
    explicit MechanismDetails(QWidget* parent = nullptr);

    void show_mechanism(const Mechanism& mechanism);

signals:
    /// One that was named as related.
    void related_chosen(const std::string& id);

private:
    WrappedLabel* add_text(const QString& id, const QString& title, const char* role = "text");
    void set_text(WrappedLabel* label, const std::string& text);

    WrappedLabel *look_for_, *explanation_, *cost_, *correction_, *related_, *paper_;
};

}  // namespace headlight
