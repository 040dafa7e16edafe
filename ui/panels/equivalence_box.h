#pragma once

#include <QWidget>

#include <vector>

namespace headlight {

class Document;
struct Mechanism;

/// Where the current mechanism is another one, each with a button that shows both side by side.
class EquivalenceBox : public QWidget {
    Q_OBJECT
public:
    explicit EquivalenceBox(Document& document, QWidget* parent = nullptr);

    /// Those of this mechanism; nothing of a mechanism without any.
    void show_mechanism(const Mechanism* mechanism);

private:
    Document& document_;
    const Mechanism* mechanism_ = nullptr;
    std::vector<QWidget*> rows_;
};

}  // namespace headlight
