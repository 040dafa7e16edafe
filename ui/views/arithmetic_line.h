#pragma once

#include "ui/views/elided_label.h"

#include <optional>

namespace headlight {

class Document;
struct CellPlace;

/// The arithmetic of the cell under the pointer, else of the selected one, in a line below the picture. For
/// who has put the inspector away: elsewhere the inspector says the same. While it is wanted it keeps its
/// place, so that no picture moves with the pointer.
class ArithmeticLine : public ElidedLabel {
    Q_OBJECT
public:
    explicit ArithmeticLine(Document& document, QWidget* parent = nullptr);

    /// Whether it is on screen.
    void set_wanted(bool wanted);
    /// Says nothing while numbers would be the answer to a question, and leaves its room to the picture,
    /// which the class looks at then: it has the question above it.
    void withhold(bool withheld);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    /// Nothing where the view marks no cell.
    std::optional<CellPlace> selected() const;
    QString text_at(const CellPlace& place) const;
    bool fits(const QString& line) const;

    Document& document_;
    bool is_wanted_ = false, is_withheld_ = false;
};

}  // namespace headlight
