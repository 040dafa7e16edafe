#include "ui/views/canvas_accessibility.h"

#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QPointer>
#include <QWidget>

#include <algorithm>
#include <limits>
#include <map>

namespace headlight {
namespace {

void (*tell_screen_reader)(QAccessibleEvent*) = QAccessible::updateAccessibility;

struct CanvasWords {
    Q_DECLARE_TR_FUNCTIONS(CanvasWords)
};

/// A widget that may go before those who listen to it.
class Canvas {
public:
    explicit Canvas(QWidget* widget) : widget_(widget), picture_(dynamic_cast<AccessiblePicture*>(widget)) {}

    explicit operator bool() const { return !widget_.isNull(); }
    AccessiblePicture* operator->() const { return picture_; }
    QWidget* widget() const { return widget_; }
    std::optional<AccessibleTable> table(Index index) const {
        return widget_ ? picture_->table(index) : std::nullopt;
    }
    QRect on_screen(const QRectF& area) const {
        const QRect rect = area.toAlignedRect();
        return rect.isEmpty() ? QRect() : QRect(widget_->mapToGlobal(rect.topLeft()), rect.size());
    }

private:
    QPointer<QWidget> widget_;
    AccessiblePicture* picture_;
};

using TableKind = AccessibleTable::Kind;
bool is_grid(const std::optional<AccessibleTable>& table) { return table && table->kind == TableKind::table; }

int as_count(Index count) {
    return static_cast<int>(std::clamp<Index>(count, 0, std::numeric_limits<int>::max()));
}

/// A part of a canvas that is no widget.
class AccessiblePart : public QAccessibleInterface {
public:
    explicit AccessiblePart(const Canvas& canvas) : canvas_(canvas) {}

    QObject* object() const override { return nullptr; }
    QWindow* window() const override {
        return canvas_ ? canvas_.widget()->window()->windowHandle() : nullptr;
    }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}

protected:
    Canvas canvas_;
};

/// Where the keyboard is, as the first child of its canvas: what a screen reader follows through a table is
/// the cell that has the focus, and it reads that one's name.
class AccessibleCurrent : public AccessiblePart {
public:
    using AccessiblePart::AccessiblePart;

    bool isValid() const override { return canvas_ && !canvas_->current_sentence().isEmpty(); }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(canvas_.widget());
    }
    QString text(QAccessible::Text kind) const override {
        return isValid() && kind == QAccessible::Name ? canvas_->current_sentence() : QString();
    }
    QRect rect() const override { return isValid() ? canvas_.on_screen(canvas_->current_rect()) : QRect(); }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.selectable = state.selected = true;
        state.focused = canvas_ && canvas_.widget()->hasFocus();
        const auto cell = canvas_ ? canvas_->current_cell() : std::nullopt;
        const auto is_on = cell ? canvas_->is_on(*cell) : std::nullopt;
        state.checkable = is_on.has_value();
        state.checked = is_on.value_or(false);
        return state;
    }
};

/// A cell of a panel, or an item of its list.
class AccessiblePanelCell : public AccessiblePart,
                            public QAccessibleTableCellInterface,
                            public QAccessibleActionInterface {
public:
    AccessiblePanelCell(const Canvas& canvas, QAccessible::Id panel, const AccessiblePicture::Cell& cell)
        : AccessiblePart(canvas), panel_(panel), cell_(cell) {}

    bool isValid() const override {
        const auto table = canvas_.table(cell_.panel);
        return table && cell_.row < table->rows && cell_.column < table->columns;
    }
    QAccessible::Role role() const override {
        const auto table = canvas_.table(cell_.panel);
        if (!table || table->kind == TableKind::table)
            return QAccessible::Cell;
        return table->kind == TableKind::tree ? QAccessible::TreeItem : QAccessible::ListItem;
    }
    QAccessibleInterface* parent() const override { return QAccessible::accessibleInterface(panel_); }
    QString text(QAccessible::Text kind) const override {
        return isValid() && kind == QAccessible::Name ? canvas_->sentence_of(cell_) : QString();
    }
    QRect rect() const override { return isValid() ? canvas_.on_screen(canvas_->area_of(cell_)) : QRect(); }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid)
            return state;
        state.focusable = state.selectable = true;
        state.selected = isSelected();
        state.focused = state.selected && canvas_.widget()->hasFocus();
        state.offscreen = !canvas_->area_of(cell_).intersects(canvas_.widget()->rect());
        const auto is_on = canvas_->is_on(cell_);
        state.checkable = is_on.has_value();
        state.checked = is_on.value_or(false);
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ActionInterface)
            return static_cast<QAccessibleActionInterface*>(this);
        return type == QAccessible::TableCellInterface && role() == QAccessible::Cell
                   ? static_cast<QAccessibleTableCellInterface*>(this)
                   : nullptr;
    }

    bool isSelected() const override { return isValid() && canvas_->current_cell() == cell_; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return as_count(cell_.column); }
    int rowIndex() const override { return as_count(cell_.row); }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

    QStringList actionNames() const override {
        QStringList names{pressAction()};
        if (isValid() && canvas_->is_on(cell_))
            names << toggleAction();
        return names;
    }
    void doAction(const QString& action) override {
        if (!isValid())
            return;
        if (action == pressAction())
            canvas_->choose_cell(cell_);
        else if (action == toggleAction())
            canvas_->toggle_cell(cell_);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    QAccessible::Id panel_;
    AccessiblePicture::Cell cell_;
};

/// A table with its cells, which are made when somebody asks for them.
class AccessiblePanel : public AccessiblePart, public QAccessibleTableInterface {
public:
    AccessiblePanel(const Canvas& canvas, Index panel) : AccessiblePart(canvas), index_(panel) {}
    ~AccessiblePanel() override {
        for (const auto& [place, cell] : cells_)
            QAccessible::deleteAccessibleInterface(cell);
    }

    bool isValid() const override { return table().has_value(); }
    QAccessible::Role role() const override {
        if (!isValid() || is_grid(table()))
            return QAccessible::Table;
        return table()->kind == TableKind::tree ? QAccessible::Tree : QAccessible::List;
    }
    QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(canvas_.widget());
    }
    QString text(QAccessible::Text kind) const override {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name) {
            const QString name = canvas_->table_name(index_);
            return name.isEmpty() ? canvas_.widget()->accessibleName() : name;
        }
        return kind == QAccessible::Description ? canvas_->table_description(index_) : QString();
    }
    QRect rect() const override {
        return isValid() ? canvas_.on_screen(canvas_->panel_area(index_)) : QRect();
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.invalid = !isValid();
        state.readOnly = true;
        return state;
    }
    int childCount() const override {
        const auto now = table();
        return now ? as_count(now->rows * now->columns) : 0;
    }
    QAccessibleInterface* child(int index) const override {
        return index >= 0 && index < childCount() ? cell(index / columnCount(), index % columnCount())
                                                  : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (const auto& [place, known] : cells_)
            if (child && QAccessible::accessibleInterface(known) == child && isValid())
                return as_count(place.first * columnCount() + place.second);
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (const auto& [place, known] : cells_)
            if (QAccessibleInterface* cell = QAccessible::accessibleInterface(known);
                cell && cell->isValid() && cell->rect().contains(x, y))
                return cell;
        return nullptr;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableInterface && role() == QAccessible::Table
                   ? static_cast<QAccessibleTableInterface*>(this)
                   : nullptr;
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override {
        return row >= 0 && row < rowCount() && column >= 0 && column < columnCount() ? cell(row, column)
                                                                                     : nullptr;
    }
    int rowCount() const override { return isValid() ? as_count(table()->rows) : 0; }
    int columnCount() const override { return isValid() ? as_count(table()->columns) : 0; }
    QString rowDescription(int row) const override {
        return row >= 0 && row < rowCount() ? canvas_->row_name(index_, row) : QString();
    }
    QString columnDescription(int column) const override {
        return column >= 0 && column < columnCount() ? canvas_->column_name(index_, column) : QString();
    }

    int selectedCellCount() const override { return current() ? 1 : 0; }
    QList<QAccessibleInterface*> selectedCells() const override {
        const auto now = current();
        return now ? QList<QAccessibleInterface*>{cell(now->row, now->column)}
                   : QList<QAccessibleInterface*>();
    }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    std::optional<AccessibleTable> table() const { return canvas_.table(index_); }
    std::optional<AccessiblePicture::Cell> current() const {
        const auto now = isValid() ? canvas_->current_cell() : std::nullopt;
        return now && now->panel == index_ ? now : std::nullopt;
    }
    QAccessibleInterface* cell(Index row, Index column) const {
        const auto [found, is_new] = cells_.try_emplace({row, column}, QAccessible::Id());
        if (is_new)
            found->second = QAccessible::registerAccessibleInterface(new AccessiblePanelCell(
                canvas_, QAccessible::uniqueId(const_cast<AccessiblePanel*>(this)), {index_, row, column}));
        return QAccessible::accessibleInterface(found->second);
    }

    Index index_;
    mutable std::map<std::pair<Index, Index>, QAccessible::Id> cells_;
};

/// Its value is the number of the selected cell.
class AccessibleCanvas : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleCanvas(QWidget* widget)
        : QAccessibleWidget(widget, QAccessible::Graphic), canvas_(widget),
          current_(QAccessible::registerAccessibleInterface(new AccessibleCurrent(canvas_))) {}
    ~AccessibleCanvas() override {
        QAccessible::deleteAccessibleInterface(current_);
        for (const auto& [index, panel] : panels_)
            QAccessible::deleteAccessibleInterface(panel);
    }

    QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Description)
            return QStringLiteral("%1 %2")
                .arg(canvas_->accessible_description(), widget()->accessibleDescription())
                .trimmed();
        return kind == QAccessible::Value ? canvas_->current_sentence() : QAccessibleWidget::text(kind);
    }

    int childCount() const override { return first_panel() + static_cast<int>(accessible_panels().size()); }
    QAccessibleInterface* child(int index) const override {
        if (index == 0 && first_panel() == 1)
            return QAccessible::accessibleInterface(current_);
        const std::vector<Index> panels = accessible_panels();
        const int place = index - first_panel();
        if (place < 0 || place >= std::ssize(panels))
            return nullptr;
        const Index panel = panels[static_cast<std::size_t>(place)];
        const auto [found, is_new] = panels_.try_emplace(panel, QAccessible::Id());
        if (is_new)
            found->second = QAccessible::registerAccessibleInterface(new AccessiblePanel(canvas_, panel));
        return QAccessible::accessibleInterface(found->second);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (int index = 0; child && index < childCount(); ++index)
            if (this->child(index) == child)
                return index;
        return -1;
    }
    QAccessibleInterface* focusChild() const override {
        return widget()->hasFocus() && first_panel() == 1 ? child(0) : nullptr;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QVariant currentValue() const override { return canvas_->current_number().value_or(0); }
    QVariant minimumValue() const override { return canvas_->current_range().first; }
    QVariant maximumValue() const override { return canvas_->current_range().second; }
    QVariant minimumStepSize() const override { return 0.0; }
    void setCurrentValue(const QVariant&) override {}  // numbers are computed, not typed

private:
    int first_panel() const { return canvas_->current_sentence().isEmpty() ? 0 : 1; }
    std::vector<Index> accessible_panels() const {
        std::vector<Index> panels;
        const Index count = canvas_ ? canvas_->table_count() : 0;
        for (Index panel = 0; panel < count; ++panel)
            if (canvas_.table(panel))
                panels.push_back(panel);
        return panels;
    }

    Canvas canvas_;
    QAccessible::Id current_;
    mutable std::map<Index, QAccessible::Id> panels_;
};

QAccessibleInterface* make_canvas_interface(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    return dynamic_cast<AccessiblePicture*>(widget) ? new AccessibleCanvas(widget) : nullptr;
}

}  // namespace

void make_canvases_accessible() {
    static const bool installed = [] {
        QAccessible::installFactory(make_canvas_interface);
        return true;
    }();
    static_cast<void>(installed);
}

void announce_cell(QWidget& canvas) {
    const auto& picture = dynamic_cast<AccessiblePicture&>(canvas);
    if (picture.current_sentence().isEmpty())
        return;
    QAccessibleValueChangeEvent value(&canvas, picture.current_number().value_or(0));
    tell_screen_reader(&value);
    // The one cell is another one now: its name says which, it is selected, and the focus is on it.
    for (const QAccessible::Event type :
         {QAccessible::NameChanged, QAccessible::Selection, QAccessible::Focus}) {
        QAccessibleEvent event(&canvas, type);
        event.setChild(0);
        tell_screen_reader(&event);
    }
}

void announce_toggle(QWidget& canvas) {
    announce_cell(canvas);
    QAccessible::State changed;
    changed.checked = true;
    QAccessibleStateChangeEvent state(&canvas, changed);
    state.setChild(0);
    tell_screen_reader(&state);
}

void announce_figure(QWidget& canvas) {
    QAccessibleEvent event(&canvas, QAccessible::DescriptionChanged);
    tell_screen_reader(&event);
}

void tell_instead(void (*tell)(QAccessibleEvent*)) { tell_screen_reader = tell; }

}  // namespace headlight
