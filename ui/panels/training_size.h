#pragma once

#include "core/model/recipe.h"

#include <QObject>

#include <optional>

class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace headlight {

class WindowSettings;

/// The fields of a training for how large the model is and how it learns: width, heads, layers, turns and
/// segments, steps and the learning rate. Heads and turns belong to Transformers, segments to those that
/// attend to what they say, and a list of layers says how many there are, as a mechanism
/// of one's own does of heads: where they are not asked for they are off and say so.
class TrainingSize : public QObject {
    Q_OBJECT
public:
    explicit TrainingSize(QObject* parent = nullptr);

    void add_rows(QFormLayout& form);
    /// Shows what was remembered. Returns false when nothing was.
    bool restore(const WindowSettings& settings);
    void remember(WindowSettings& settings) const;
    /// Shows which of them are asked for beside the rest of `recipe`, which says its host.
    void show_for(const Recipe& recipe);
    /// Shows what suits the task; emits nothing.
    void show_settings(const TrainingSettings& suited);
    /// `recipe`, which names its host, with what is asked for here.
    Recipe added_to(Recipe recipe) const;

signals:
    void edited();

private:
    QSpinBox *width_, *heads_, *layers_, *turns_, *segment_, *steps_;
    QDoubleSpinBox* rate_;
    QWidget *heads_label_, *layers_label_, *turns_label_, *segment_label_;
    /// What a person had, while a list of layers, or a mechanism of one's own, says how many there are.
    std::optional<int> own_layers_, own_heads_;
};

}  // namespace headlight
