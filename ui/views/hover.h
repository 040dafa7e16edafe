#pragma once

#include "ui/views/cell_place.h"

#include <QObject>

namespace headlight {

class Document;

/// What the pointer is over, shared by every view of one document: a cell under the pointer in one view is
/// marked in all of them and explained in the inspector. It is not part of the session, because looking is
/// not an edit.
class HoverState : public QObject {
    Q_OBJECT
public:
    /// The hover state of the document; made on first use and owned by it.
    static HoverState& of(Document& document);

    const std::optional<CellPlace>& place() const { return place_; }
    void set(std::optional<CellPlace> place);

signals:
    void changed();

private:
    explicit HoverState(Document& document);

    std::optional<CellPlace> place_;
};

}  // namespace headlight
