#pragma once

#include "ui/models/beam_layout.h"

#include <QAbstractScrollArea>

#include <memory>

namespace headlight {

/// The tree that a beam search grew: words with the log probability of the text so far, from left to right.
/// The best text runs along the top, what was pruned is pale. A click or the arrow keys choose a node.
class BeamTreeView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit BeamTreeView(QWidget* parent = nullptr);

    /// An transcript with beams, or null.
    void show_tree(std::shared_ptr<const Transcript> transcript, bool with_pruned);

    /// Of the viewport; empty when the tree has no such node on show.
    QRect node_rect(Index node) const;
    std::optional<Index> node_at(QPoint point) const;
    /// What there is to say of the node in focus.
    QString sentence() const;

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
    void focusInEvent(QFocusEvent*) override { viewport()->update(); }
    void focusOutEvent(QFocusEvent*) override { viewport()->update(); }

private:
    const TranscriptBeams* beams() const;
    void lay_out();
    void fit_scroll_bars();
    void reveal(Index node);
    QRect whole_rect(Index node) const;
    QString word(Index node) const;
    void paint_branches(QPainter& painter, const std::vector<bool>& followed) const;
    void paint_node(QPainter& painter, Index node, const std::vector<bool>& followed) const;

    std::shared_ptr<const Transcript> transcript_;
    BeamLayout layout_;
    std::vector<int> lefts_;   ///< [column]
    std::vector<int> widths_;  ///< [column]
    int row_height_ = 0;
    bool is_walked_ = false;  ///< somebody has chosen a node: it stays in sight
};

}  // namespace headlight
