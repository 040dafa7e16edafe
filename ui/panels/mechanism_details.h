#pragma once

#include "core/catalog/mechanism.h"

#include <QWidget>

namespace headlight {

class TitledText;

/// What the catalogue says about a mechanism beside its knobs: what it does, what it costs, which models have
/// it and how the layers of these follow one another, what small models with it learned, and its paper.
class MechanismDetails : public QWidget {
    Q_OBJECT
public:
    explicit MechanismDetails(QWidget* parent = nullptr);

    void show_mechanism(const Mechanism& mechanism);

signals:
    /// The mechanisms of that model are to be looked for.
    void model_chosen(const QString& name);
    /// That page of the manual is to be read.
    void page_requested(const QString& page);

private:
    TitledText *explanation_, *cost_, *models_, *learned_, *paper_;
};

}  // namespace headlight
