#pragma once

#include "ui/views/formula_lines.h"

#include <QSvgRenderer>
#include <QWidget>

#include <memory>
#include <string>

namespace headlight {

struct TypesetFormula;

/// The mechanism's formula with the term of one stage lit, as large as the interface's font asks for. A
/// mechanism without a typeset formula shows its name. In a narrow panel a long formula is broken over lines,
/// and shrinks only where that is not enough.
class FormulaView : public QWidget {
    Q_OBJECT
public:
    explicit FormulaView(QWidget* parent = nullptr);

    void set_formula(const std::string& mechanism, const std::string& lit_stage);

    /// Whether it can be read in that width: in its size or nearly, and in two lines at most. More would be a
    /// narrow column of single signs, higher than the picture can spare.
    bool is_legible_in(int width) const;
    /// How large it is drawn in that width, 1 in its own size.
    double share_in(int width) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// How the formula lies in a width.
    struct Lines {
        std::vector<QRectF> lines;  ///< in the formula's own units
        double scale = 1;           ///< from them to pixels
        QSizeF size;                ///< of all lines, in pixels
    };
    Lines lines_for(double width) const;
    /// Colours the formula: in the theme of now, and only when it is painted, which hidden ones are not.
    void light();
    double natural_scale() const;

    std::string mechanism_, lit_stage_;
    std::shared_ptr<const TypesetFormula> formula_;
    QSvgRenderer renderer_;
    bool is_lit_ = false;  ///< the renderer has the formula in the colours of the stage and of the theme
};

}  // namespace headlight
