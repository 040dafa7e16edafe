#pragma once

#include "core/model/beam_layout.h"
#include "ui/views/canvas_accessibility.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headlight {

/// The tree that a beam search grew: words with the log probability of the text so far, from left to right.
/// The best text runs along the top, what was pruned is pale. A click or the arrow keys choose a node. A
/// screen reader has the nodes as the items of a tree: row by row as they are painted, from left to right.
class BeamTreeView : public QAbstractScrollArea, public AccessiblePicture {
    Q_OBJECT
public:
    explicit BeamTreeView(QWidget* parent = nullptr);

    /// An transcript with beams, or null.
    void show_tree(std::shared_ptr<const Transcript> transcript, bool with_pruned);

    /// Returns the node's place in the viewport; empty when the tree has no such node on show.
    QRect node_rect(Index node) const;
    std::optional<Index> node_at(QPoint point) const;

    QString accessible_description() const override;
    Index table_count() const override { return beams() ? 1 : 0; }
    std::optional<AccessibleTable> table(Index panel) const override;
    QString table_name(Index) const override { return {}; }
    /// The log probability of the text that leads to the node in focus.
    std::optional<double> current_number() const override;
    std::pair<double, double> current_range() const override;
    std::optional<Cell> current_cell() const override;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override;
    QRectF panel_area(Index) const override { return viewport()->geometry(); }
    void choose_cell(const Cell& cell) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void node_chosen(headlight::Index node);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent*) override;
    void focusOutEvent(QFocusEvent*) override { viewport()->update(); }

private:
    const TranscriptBeams* beams() const;
    void list_items();
    void lay_out();
    void fit_scroll_bars();
    void reveal(Index node);
    QRect whole_rect(Index node) const;
    QString word(Index node) const;
    QString number(Index node) const;
    Index node_of(const Cell& cell) const { return items_[static_cast<std::size_t>(cell.row)]; }
    const BeamNode& beam_node(Index node) const {
        return beams()->tree.nodes[static_cast<std::size_t>(node)];
    }
    void paint_branches(QPainter& painter, const std::vector<bool>& followed) const;
    void paint_node(QPainter& painter, Index node, const std::vector<bool>& followed) const;

    std::shared_ptr<const Transcript> transcript_;
    BeamLayout layout_;
    std::vector<Index> items_;  ///< the nodes on show but the root, which is no text, in the order of reading
    std::vector<int> lefts_;    ///< [column]
    std::vector<int> widths_;   ///< [column]
    int row_height_ = 0;
    bool is_walked_ = false;  ///< somebody has chosen a node: it stays in sight
};

}  // namespace headlight
