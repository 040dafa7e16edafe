#pragma once

#include "core/figure/view_settings.h"

#include <QWidget>

#include <optional>
#include <vector>

class QToolButton;

namespace headlight {

class Document;
struct Figure;
struct HeadLook;

/// A row of switches, one for each head: which of them the picture draws over one another, in which colours.
/// Hidden where a picture has no choice of heads.
class HeadSwatches : public QWidget {
    Q_OBJECT
public:
    explicit HeadSwatches(Document& document, QWidget* parent = nullptr);

    void show_heads(const Figure& figure);

private:
    struct Shown {
        Index of_heads = 0;
        std::vector<Index> drawn;
        FigureTheme theme = FigureTheme::light;
        bool operator==(const Shown&) const = default;
    };

    void add_switch();
    void show_switch(Index head, const std::optional<HeadLook>& look);
    /// The last one stays on: a picture has one head at least, which then is the selected one.
    void turn(Index head, bool on);

    Document& document_;
    std::vector<QToolButton*> switches_;  ///< [head]; more than there are heads are hidden
    Shown shown_;
};

}  // namespace headlight
