#pragma once

#include "core/figure/view.h"

#include <QTabWidget>

class QToolBar;
class QWidgetAction;

namespace headlight {

class Document;
class MapStrip;
class MechanismLibrary;

/// What a view shows and its key, or what `document` lacks for it. `number` is that of views().
QString view_tip(std::size_t number, const Document& document);

/// The views of a run, one tab each. A view is made when it is first shown: starting pays for one of them.
class ViewTabs : public QTabWidget {
    Q_OBJECT
public:
    ViewTabs(Document& document, const MechanismLibrary& library, QWidget* parent = nullptr);

    /// The widget of a view, made now if it has not been shown yet.
    QWidget* view(ViewKind kind);
    /// What is drawn in the view that is shown, without the controls around it.
    QWidget* picture() const;
    /// The whole matrix again, in the view that is shown.
    void reset_zoom();
    /// Hides the tabs and what stands beside them, and of the line above the picture all but the formula.
    void show_only_picture(bool only);
    /// Sets the font of the views and their tabs.
    void set_picture_font(const QFont& font);
    /// Tabs that have no room whole are hidden, and `button` is shown in their place. It stands in `bar`, a
    /// corner, whose other lists, which a menu has as well, are hidden before fewer than two tabs stand
    /// beside that of the current view.
    void offer_hidden_by(QWidgetAction& button, const QToolBar& bar);
    /// Stands beside the picture in every view; the tabs own it.
    void set_map(MapStrip* map);
    /// Shows the comparison and the catalogue, to pick one more mechanism.
    void add_compared();

signals:
    /// Something that a view has to say in passing.
    void notice(const QString& text);
    /// picture() is another one.
    void picture_changed();

protected:
    /// Nothing: Qt draws a line under what stands beside the tabs, and none under the tabs.
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void offer_views();
    void show_current();
    /// From the first on, with that of the current view.
    void show_tabs_with_room();
    /// Pixels for tabs, and for the button that offers the others.
    int room_for_tabs() const;
    /// Pixels of the first two tabs but `current`.
    int width_beside(int current) const;

    Document& document_;
    const MechanismLibrary& library_;
    MapStrip* map_ = nullptr;
    QWidgetAction* more_ = nullptr;
    QList<QWidgetAction*> spare_;  ///< the first one is hidden first
    bool only_picture_ = false;
};

}  // namespace headlight
