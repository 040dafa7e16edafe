#pragma once

#include <QWidget>

class QCheckBox;

namespace headlight {

class Document;
class FlowLayout;
class WrappedLabel;

/// What a person has changed inside a model, each with a chip that takes it back, and what comes of it: the
/// output without and with the changes, the words that differ marked. Hidden where nothing is changed.
class InterventionBox : public QWidget {
    Q_OBJECT
public:
    explicit InterventionBox(Document& document, QWidget* parent = nullptr);

private:
    void refresh();
    void refresh_chips();

    Document& document_;
    FlowLayout* chips_;
    WrappedLabel* comparison_;
    QCheckBox* difference_;
};

}  // namespace headlight
