#pragma once

#include "ui/panels/wide_combo.h"

namespace headlight {

class Document;

/// Which place of a model the pictures show. Hidden where there is one alone.
class SiteChoice : public WideCombo {
    Q_OBJECT
public:
    explicit SiteChoice(Document& document, QWidget* parent = nullptr);

    bool has_choice() const { return count() > 1; }

private:
    void refresh();

    Document& document_;
};

}  // namespace headlight
