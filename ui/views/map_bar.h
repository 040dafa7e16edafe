#pragma once

#include "core/figure/view_kind.h"
#include "core/tensor/index.h"

#include <QWidget>

#include <memory>
#include <string>

class QBoxLayout;
class QComboBox;
class QHBoxLayout;

namespace headlight {

class Document;
class FormulaView;
class StageStrip;
struct Run;
struct View;

/// The line above a picture: the formula with the term of the shown stage lit, which stage it is on the way
/// through the formula, and which head. A formula that could not be read beside the shown stage and its
/// neighbours has a line of its own above them.
class MapBar : public QWidget {
    Q_OBJECT
public:
    /// Offers what the view declares: the stages that it can show, one of the heads, one map of all layers.
    /// Stages that a view of weights alone cannot show lead to the view of stages.
    MapBar(Document& document, ViewKind kind, QWidget* parent = nullptr);

    /// Leaves the formula alone, for a full screen: what can be chosen is hidden.
    void show_only_formula(bool only);

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    const View& shown() const;
    void refresh();
    void show_stages();
    void list_stages(const Run& run, const std::string& site);
    void show_heads();
    void show_layers();
    /// A row of the heads: one of them, or behind them one map in place of all.
    void choose_heads(int row);
    /// The layer that is looked at, or one map in place of all of its kind.
    void choose_layers(int row);
    /// Divides the line between formula and stages.
    void share();
    /// Pixels that stages and lists want beside a formula.
    int width_beside_formula();

    Document& document_;
    ViewKind kind_;
    QBoxLayout* line_;      ///< the formula, and beside or below it what can be chosen
    QHBoxLayout* choices_;  ///< stages, layers, heads
    FormulaView* formula_;
    StageStrip* strip_;
    std::weak_ptr<const Run> listed_run_;  ///< whose stages at the site the strip offers
    std::string listed_site_;
    QComboBox* heads_ = nullptr;
    int heads_of_list_ = 0;  ///< without what stands behind them
    int heads_width_ = 0;    ///< of the list of heads; 0 while it is to be measured
    bool lists_rollout_ = false;
    QComboBox* layers_ = nullptr;
    Index layers_of_list_ = 0;
    int layers_width_ = 0;  ///< as heads_width_
    bool only_formula_ = false;
};

}  // namespace headlight
