#pragma once

#include "core/catalog/mechanism.h"

#include <QWidget>

namespace headlight {

class TitledText;

/// What the catalogue says about a mechanism beside its knobs: what it does, what it costs, what small
/// models with it learned, and its paper.
class MechanismDetails : public QWidget {
    Q_OBJECT
public:
    explicit MechanismDetails(QWidget* parent = nullptr);

    void show_mechanism(const Mechanism& mechanism);

private:
    TitledText *explanation_, *cost_, *learned_, *paper_;
};

}  // namespace headlight
