#pragma once

#include "core/model/recipe.h"

#include <QObject>

class QCheckBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;
class QWidget;

namespace headlight {

class WindowSettings;

/// The fields of a training for what only a recurrent host may have: to copy words of its source, to ask
/// several times a step, and to pay for looking at a word again. They are remembered, also while the host or
/// its attention cannot have them: then they are off and say why.
class RecurrentFields : public QObject {
    Q_OBJECT
public:
    explicit RecurrentFields(WindowSettings& settings, QObject* parent = nullptr);

    void add_rows(QFormLayout& form);
    /// What show_for() shows from now on, where it may be had.
    void remember(const Recipe& recipe);
    /// Shows which of them may be had beside the rest of `recipe`, which can be trained without them.
    void show_for(const Recipe& recipe);
    /// `recipe` with what is asked for here.
    Recipe added_to(Recipe recipe) const;

signals:
    void edited();

private:
    void show_possible(QWidget* field, const QString& effect, const Recipe& recipe);

    WindowSettings& settings_;
    QCheckBox* copies_;
    QSpinBox* hops_;
    QLabel* hops_label_;
    QDoubleSpinBox* coverage_loss_;
    QLabel* coverage_loss_label_;
};

}  // namespace headlight
