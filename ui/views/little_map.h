#pragma once

#include "core/workbench/view_history.h"
#include "ui/render/compact_flow.h"
#include "ui/views/canvas_accessibility.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace headlight {

class Document;

/// The map of what runs, so small that it stands beside any picture: the part in view is lit, and named
/// below. A click on a part, or Shift and an arrow key, goes there; Enter shows the map large. Asks the
/// document for the map only while it is seen.
class LittleMap : public QWidget, public AccessiblePicture {
    Q_OBJECT
public:
    explicit LittleMap(Document& document, QWidget* parent = nullptr);

    /// Null while there is no map to show.
    const Flow* flow() const;
    /// Where a part stands, by its number among the nodes; empty where there is none.
    QRectF part_rect(Index node) const;
    /// What stands below the name of the part in view: whose arrows these are, and where the thickest comes
    /// from. Empty of a mechanism.
    QString caption() const;

    QString accessible_description() const override;
    Index table_count() const override { return flow() ? 1 : 0; }
    std::optional<AccessibleTable> table(Index panel) const override;
    QString table_name(Index panel) const override;
    QString row_name(Index panel, Index row) const override;
    std::optional<double> current_number() const override { return std::nullopt; }
    std::pair<double, double> current_range() const override { return {0, 0}; }
    std::optional<Cell> current_cell() const override;
    QString sentence_of(const Cell& cell) const override;
    QRectF area_of(const Cell& cell) const override { return part_rect(cell.row); }
    QRectF panel_area(Index) const override { return rect(); }
    void choose_cell(const Cell& cell) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    const CompactFlow* places() const;
    /// The room that the part in view is named in, below the map.
    int room_for_name() const;
    bool has_room_for_caption() const;
    QString name_of_lit() const;
    void go_to(Index node, ViewHistory::Move move);
    void show_large();

    Document& document_;
    std::optional<Index> pressed_;  ///< the part that the left button went down on
    // Made when first needed after refresh().
    mutable std::shared_ptr<const Figure> figure_;
    mutable std::optional<CompactFlow> places_;
};

}  // namespace headlight
