#pragma once

#include "core/figure/view.h"

#include <QTabWidget>

#include <memory>
#include <vector>

class QAction;
class QToolBar;
class QWidgetAction;

namespace headlight {

class ContextMenu;
class Document;
class FigureCanvas;
class MapBar;
class MapStrip;
class MechanismLibrary;

/// What a view shows and its key, or what `document` lacks for it. `shown` is one of views().
QString view_tip(const View& shown, const Document& document);

/// The views of a run, one tab each: those of the main ones, then that of another as long as it is shown. A
/// view is made when it is first shown: starting pays for one of them.
class ViewTabs : public QTabWidget {
    Q_OBJECT
public:
    ViewTabs(Document& document, const MechanismLibrary& library, QWidget* parent = nullptr);

    /// The widget of a view, made now if it has not been shown yet.
    QWidget* view(ViewKind kind);
    /// The main views come first.
    int tab_of(ViewKind kind) const;
    /// What is drawn in the view that is shown, without the controls around it.
    QWidget* picture() const;
    /// Gives the picture a key of pictures that came to a control which has no use for it. False where the
    /// picture has none either.
    bool use_key(const QKeyEvent& event);
    /// What can be done with what is selected in the picture; null where nothing is.
    std::unique_ptr<ContextMenu> menu_here() const;
    /// The whole matrix again, in the view that is shown.
    void reset_zoom();
    /// Hides the tabs and what stands beside them, and of the line above the picture all but the formula.
    void show_only_picture(bool only);
    /// Sets the font of the views and their tabs.
    void set_picture_font(const QFont& font);
    /// The menu of `button` leads to the views that have no tab, and to main ones whose tabs have no room
    /// whole. `choices` are the actions of all, in the order of views(). The button stands in `bar`, a
    /// corner, whose other controls, which a menu has as well, are hidden before any main view is without its
    /// tab, the last one first.
    void offer_others_by(QWidgetAction& button, const QList<QAction*>& choices, const QToolBar& bar);
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
    /// A view, and what is asked of it; all null until it is made.
    struct Page {
        QWidget* view = nullptr;
        QWidget* picture = nullptr;      ///< without the controls around it
        FigureCanvas* figure = nullptr;  ///< the picture, where it zooms
        MapBar* bar = nullptr;           ///< above the picture, where the formula is
    };

    Page make_page(ViewKind kind);
    const Page& current_page() const { return pages_[static_cast<std::size_t>(currentIndex())]; }
    void offer_views();
    void show_current();
    /// Those of the main views from the first on, and that of the current one.
    void show_tabs_with_room();
    /// Fills the menu of the button, in groups.
    void fill_more();
    /// Pixels for tabs while all controls beside them are shown.
    int room_for_tabs() const;
    bool is_main(int tab) const;
    /// Pixels of the tabs of the main views but `current`.
    int width_beside(int current) const;

    Document& document_;
    const MechanismLibrary& library_;
    std::vector<ViewKind> kinds_;  ///< by tab
    std::vector<Page> pages_;      ///< by tab
    MapStrip* map_ = nullptr;
    QWidgetAction* more_ = nullptr;
    QList<QAction*> choices_;      ///< by tab
    QList<QAction*> offered_;      ///< of these, what the menu of more_ has
    QList<QWidgetAction*> spare_;  ///< the first one is hidden first
    bool only_picture_ = false;
};

}  // namespace headlight
