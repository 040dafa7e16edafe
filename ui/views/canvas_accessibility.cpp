#include "ui/views/canvas_accessibility.h"

#include "ui/views/figure_canvas.h"

#include <QAccessibleWidget>
#include <QPointer>

namespace headlight {
namespace {

/// The selected cell of a canvas, as its only child: what a screen reader follows through a table is the cell
/// that has the focus, and it reads that one's name.
class AccessibleCell : public QAccessibleInterface {
public:
    explicit AccessibleCell(FigureCanvas* canvas) : canvas_(canvas) {}

    bool isValid() const override { return canvas_ && canvas_->current_place(); }
    QObject* object() const override { return nullptr; }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(canvas_); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override {
        return isValid() && kind == QAccessible::Name ? canvas_->sentence(*canvas_->current_place())
                                                      : QString();
    }
    QRect rect() const override {
        const QRect cell = isValid() ? canvas_->current_rect().toAlignedRect() : QRect();
        return cell.isEmpty() ? QRect() : QRect(canvas_->mapToGlobal(cell.topLeft()), cell.size());
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.selectable = state.selected = true;
        state.focused = canvas_ && canvas_->hasFocus();
        return state;
    }

private:
    QPointer<FigureCanvas> canvas_;
};

/// Its value is the number of the selected cell.
class AccessibleCanvas : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleCanvas(FigureCanvas* canvas)
        : QAccessibleWidget(canvas, QAccessible::Graphic),
          cell_(QAccessible::registerAccessibleInterface(new AccessibleCell(canvas))) {}
    ~AccessibleCanvas() override { QAccessible::deleteAccessibleInterface(cell_); }

    QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Description && canvas().figure())
            return QString::fromStdString(canvas().figure()->description);
        if (kind == QAccessible::Value) {
            const auto place = canvas().current_place();
            return place ? canvas().sentence(*place) : QString();
        }
        return QAccessibleWidget::text(kind);
    }

    int childCount() const override { return canvas().current_place() ? 1 : 0; }
    QAccessibleInterface* child(int index) const override {
        return index == 0 && childCount() == 1 ? QAccessible::accessibleInterface(cell_) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        return child && child == QAccessible::accessibleInterface(cell_) ? 0 : -1;
    }
    QAccessibleInterface* focusChild() const override { return canvas().hasFocus() ? child(0) : nullptr; }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QVariant currentValue() const override { return canvas().current_number().value_or(0); }
    QVariant minimumValue() const override { return canvas().current_scale().low; }
    QVariant maximumValue() const override { return canvas().current_scale().high; }
    QVariant minimumStepSize() const override { return 0.0; }
    void setCurrentValue(const QVariant&) override {}  // numbers are computed, not typed

private:
    const FigureCanvas& canvas() const { return *static_cast<const FigureCanvas*>(widget()); }

    QAccessible::Id cell_;
};

QAccessibleInterface* make_canvas_interface(const QString&, QObject* object) {
    auto* canvas = qobject_cast<FigureCanvas*>(object);
    return canvas ? new AccessibleCanvas(canvas) : nullptr;
}

}  // namespace

void make_canvases_accessible() {
    static const bool installed = [] {
        QAccessible::installFactory(make_canvas_interface);
        return true;
    }();
    static_cast<void>(installed);
}

void announce_cell(FigureCanvas& canvas, void (*tell)(QAccessibleEvent*)) {
    if (!canvas.current_place())
        return;
    QAccessibleValueChangeEvent value(&canvas, canvas.current_number().value_or(0));
    tell(&value);
    // The one cell is another one now: its name says which, and the focus is on it.
    for (const QAccessible::Event type : {QAccessible::NameChanged, QAccessible::Focus}) {
        QAccessibleEvent event(&canvas, type);
        event.setChild(0);
        tell(&event);
    }
}

}  // namespace headlight
