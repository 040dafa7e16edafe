#pragma once

#include <QLabel>

#include <optional>

namespace headlight {

class Document;
struct CellPlace;

/// The arithmetic of the cell under the pointer, in a few lines over the lower edge of a picture, or over the
/// upper one when the pointer is near the lower. For who has put the inspector away: elsewhere the inspector
/// says the same.
class ArithmeticLine : public QLabel {
    Q_OBJECT
public:
    /// Lies over `picture`, which owns it.
    ArithmeticLine(Document& document, QWidget* picture);

    /// Whether it is shown while the pointer is over a cell.
    void set_wanted(bool wanted);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    QString text_at(const CellPlace& place) const;
    /// Whether the line fits into the lines that it may have.
    bool fits(const QString& line) const;
    void place();

    Document& document_;
    bool is_wanted_ = false;
};

}  // namespace headlight
