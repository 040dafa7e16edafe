#pragma once

#include "ui/panels/banner.h"

namespace headlight {

class Document;

/// Says which characters of the sequence no installed font can draw, and which font could.
class FontHint : public Banner {
    Q_OBJECT
public:
    explicit FontHint(Document& document, QWidget* parent = nullptr);

private:
    void refresh();

    Document& document_;
    QString said_;
};

}  // namespace headlight
