#pragma once

#include "ui/views/lazy_combo.h"

namespace headlight {

class Document;

/// In which units the rows and columns of a capture are looked at.
class UnitsCombo : public LazyCombo {
    Q_OBJECT
public:
    explicit UnitsCombo(Document& document, QWidget* parent = nullptr);

private:
    void refresh();

    Document& document_;
};

}  // namespace headlight
