#pragma once

#include <QWidget>

class QComboBox;

namespace headlight {

class Document;
class FormulaView;
class StageStrip;

/// The line above a picture: the formula with the term of the shown stage lit, which stage it is on the way
/// through the formula, and which head.
class MapBar : public QWidget {
    Q_OBJECT
public:
    enum class Stages {
        all,      ///< every stage worth a picture
        maps,     ///< those with a row per query and a column per key
        patches,  ///< those with a number for each patch of the image
    };
    enum class Heads { one, all };

    MapBar(Document& document, Stages stages, Heads heads, QWidget* parent = nullptr);

    /// Leaves the formula alone, for a full screen: what can be chosen is hidden.
    void show_only_formula(bool only);

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void show_stages();
    void show_heads();
    /// Divides the line between formula and stages.
    void share();

    Document& document_;
    Stages stages_;
    FormulaView* formula_;
    StageStrip* strip_;
    QComboBox* heads_ = nullptr;
    bool only_formula_ = false;
};

}  // namespace headlight
