#pragma once

#include <QByteArray>
#include <QSvgRenderer>
#include <QWidget>

#include <string>

namespace headlight {

/// The mechanism's formula with the term of one stage lit, as large as the interface's font asks for. A
/// mechanism without a typeset formula shows its name.
class FormulaView : public QWidget {
    Q_OBJECT
public:
    explicit FormulaView(QWidget* parent = nullptr);

    void set_formula(const std::string& mechanism, const std::string& lit_stage);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// A narrow panel shows a long formula smaller, and is then not left with the height of the large one.
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void light();
    QSizeF natural_size() const;

    std::string mechanism_, lit_stage_;
    QByteArray svg_;
    QSvgRenderer renderer_;
};

}  // namespace headlight
