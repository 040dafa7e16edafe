#pragma once

#include "ui/panels/wide_combo.h"

#include <memory>

namespace headlight {

class Document;
struct Run;

/// Which head of a HeadVis tree the pictures show: the file of each is read when it is chosen.
class HeadChoice : public WideCombo {
    Q_OBJECT
public:
    explicit HeadChoice(Document& document, QWidget* parent = nullptr);

    bool has_choice() const { return count() > 1; }

private:
    void refresh();

    Document& document_;
    std::shared_ptr<const Run> listed_;  ///< the run whose tree is in the list
};

}  // namespace headlight
