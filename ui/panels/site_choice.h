#pragma once

#include <QComboBox>

namespace headlight {

class Document;

/// Which place of a model the pictures show. Hidden where there is one alone.
class SiteChoice : public QComboBox {
    Q_OBJECT
public:
    explicit SiteChoice(Document& document, QWidget* parent = nullptr);

    bool has_choice() const { return count() > 1; }

private:
    void refresh();

    Document& document_;
};

}  // namespace headlight
