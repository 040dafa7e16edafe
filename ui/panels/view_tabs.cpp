#include "ui/panels/view_tabs.h"

#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/document.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/head_table_panel.h"
#include "ui/panels/heads_panel.h"
#include "ui/panels/map_strip.h"
#include "ui/views/canvas_shell.h"
#include "ui/views/compare_menu.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/heads_canvas.h"
#include "ui/views/map_bar.h"
#include "ui/views/map_view.h"
#include "ui/views/zoom_picture.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QSignalBlocker>
#include <QTabBar>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {
namespace {

class TabBar : public QTabBar {
public:
    int width_of(int tab) const { return tabSizeHint(tab).width(); }
};

std::vector<ViewKind> main_ones_first() {
    std::vector<ViewKind> kinds;
    for (const bool is_main : {true, false})
        for (const View& each : views())
            if (each.is_main == is_main)
                kinds.push_back(each.kind);
    return kinds;
}

/// Those that zoom, go in and out, and give up what is selected.
bool is_key_of_pictures(const QKeyEvent& key) {
    constexpr std::array keys{Qt::Key_Plus, Qt::Key_Equal, Qt::Key_Minus, Qt::Key_0, Qt::Key_Escape};
    const bool is_plain = !(key.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier));
    return is_plain && std::ranges::count(keys, key.key()) > 0;
}

/// Where `kind` stands in views(), which is the order of keys and menus.
qsizetype number_of(ViewKind kind) { return std::ranges::find(views(), kind, &View::kind) - views().begin(); }

}  // namespace

QString view_tip(const View& shown, const Document& document) {
    const std::string missing = document.lacks(shown.kind);
    if (!missing.empty())
        return QString::fromStdString(missing);
    return with_key(QString::fromStdString(shown.shows),
                    QStringLiteral("view_%1").arg(number_of(shown.kind) + 1));
}

ViewTabs::ViewTabs(Document& document, const MechanismLibrary& library, QWidget* parent)
    : QTabWidget(parent), document_(document), library_(library), kinds_(main_ones_first()),
      pages_(kinds_.size()) {
    setObjectName(QStringLiteral("views"));
    setTabBar(new TabBar);
    setDocumentMode(true);
    tabBar()->setObjectName(QStringLiteral("view_tabs"));
    tabBar()->setAccessibleName(tr("Views"));
    tabBar()->setDrawBase(false);
    for (const ViewKind kind : kinds_) {
        auto* page = new QWidget;
        auto* layout = new QHBoxLayout(page);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        addTab(page, QString::fromStdString(headlight::view(kind).title));
    }
    connect(this, &QTabWidget::currentChanged, this, [this](int tab) {
        const ViewKind chosen = kinds_[static_cast<std::size_t>(tab)];
        view(chosen);
        document_.looking().look_at(in_view(document_.view(), chosen));
    });
    connect(&ComparisonRequest::of(document), &ComparisonRequest::asked, this, [this] {
        // A model or a capture leaves nothing to choose: all of its sites are side by side.
        if (document_.session().runs_mechanism())
            add_compared();
        else
            document_.looking().look_at(in_view(document_.view(), ViewKind::compare));
    });
    connect(&document_, &Document::session_changed, this, &ViewTabs::show_current);
    connect(&document_.looking(), &Looking::view_changed, this, &ViewTabs::show_current);
    connect(&document_, &Document::run_changed, this, &ViewTabs::offer_views);
    auto* zoom = new ZoomPicture(document_, this);
    connect(this, &ViewTabs::picture_changed, zoom,
            [this, zoom] { zoom->lie_over(picture() ? picture() : this); });
    show_current();
    connect(&KeysInForce::instance(), &KeysInForce::changed, this, &ViewTabs::offer_views);
}

int ViewTabs::tab_of(ViewKind kind) const {
    return static_cast<int>(std::ranges::find(kinds_, kind) - kinds_.begin());
}

ViewTabs::Page ViewTabs::make_page(ViewKind kind) {
    const View& shown = headlight::view(kind);
    if (shown.all_sites) {
        auto* comparison = new ComparePanel(document_, library_);
        connect(comparison, &ComparePanel::notice, this, &ViewTabs::notice);
        return {.view = comparison, .picture = comparison->canvas(), .figure = comparison->canvas()};
    }
    if (kind == ViewKind::statistics) {
        auto* table = new HeadTablePanel(document_);
        return {.view = table, .picture = &table->table()};
    }
    if (shown.reads_every_head) {
        auto* heads = new HeadsPanel(document_, kind);
        return {.view = heads, .picture = heads->canvas()};
    }
    auto* map = new MapView(document_, kind);
    return {.view = map, .picture = map->canvas(), .figure = map->canvas(), .bar = &map->bar()};
}

QWidget* ViewTabs::view(ViewKind kind) {
    const int tab = tab_of(kind);
    Page& page = pages_[static_cast<std::size_t>(tab)];
    if (page.view)
        return page.view;
    page = make_page(kind);
    widget(tab)->layout()->addWidget(page.view);
    widget(tab)->setFocusProxy(page.view);
    if (const auto* canvas = dynamic_cast<CanvasShell*>(page.picture))
        connect(canvas, &CanvasShell::copy_refused, this, &ViewTabs::notice);
    if (page.bar)
        page.bar->show_only_formula(only_picture_);
    return page.view;
}

QWidget* ViewTabs::picture() const { return current_page().picture; }

bool ViewTabs::use_key(const QKeyEvent& event) {
    auto* canvas = dynamic_cast<CanvasShell*>(picture());
    return canvas && is_key_of_pictures(event) && canvas->use_key(event);
}

std::unique_ptr<ContextMenu> ViewTabs::menu_here() const {
    if (auto* heads = qobject_cast<HeadTablePanel*>(current_page().view))
        return heads->menu_here();
    auto* canvas = dynamic_cast<CanvasShell*>(picture());
    return canvas ? canvas->menu_here() : nullptr;
}

void ViewTabs::paintEvent(QPaintEvent*) {}

void ViewTabs::offer_others_by(QWidgetAction& button, const QList<QAction*>& choices, const QToolBar& bar) {
    more_ = &button;
    for (const ViewKind kind : kinds_)
        choices_.append(choices.at(number_of(kind)));
    for (QAction* action : bar.actions())
        if (auto* spare = qobject_cast<QWidgetAction*>(action); spare && spare != more_)
            spare_.prepend(spare);
    show_tabs_with_room();
}

bool ViewTabs::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::FontChange)
        show_tabs_with_room();  // a corner, or the words of the tabs, are wider
    return QTabWidget::event(event);
}

void ViewTabs::resizeEvent(QResizeEvent* event) {
    show_tabs_with_room();
    QTabWidget::resizeEvent(event);
}

int ViewTabs::room_for_tabs() const {
    int room = width();
    for (const Qt::Corner corner : {Qt::TopLeftCorner, Qt::TopRightCorner})
        if (const QWidget* beside = cornerWidget(corner))
            room -= beside->sizeHint().width();
    for (const QWidgetAction* spare : spare_)
        room -= spare->isVisible() ? 0 : spare->defaultWidget()->sizeHint().width();
    return room;
}

bool ViewTabs::is_main(int tab) const {
    return headlight::view(kinds_[static_cast<std::size_t>(tab)]).is_main;
}

int ViewTabs::width_beside(int current) const {
    const auto* bar = static_cast<const TabBar*>(tabBar());
    int width = 0;
    for (int tab = 0; tab < count(); ++tab)
        if (is_main(tab) && tab != current)
            width += bar->width_of(tab);
    return width;
}

void ViewTabs::show_tabs_with_room() {
    if (!more_ || only_picture_)
        return;
    const auto* bar = static_cast<const TabBar*>(tabBar());
    const int current = currentIndex();
    int room = room_for_tabs() - bar->width_of(current);
    const int beside = width_beside(current);
    for (QWidgetAction* spare : spare_) {
        const bool has_room = room >= beside;
        room += has_room ? 0 : spare->defaultWidget()->sizeHint().width();
        if (spare->isVisible() != has_room)
            spare->setVisible(has_room);
    }
    bool is_full = false;
    for (int tab = 0; tab < count(); ++tab) {
        if (is_main(tab) && tab != current) {
            room -= bar->width_of(tab);
            is_full = is_full || room < 0;
        }
        const bool is_shown = tab == current || (is_main(tab) && !is_full);
        if (isTabVisible(tab) != is_shown)
            setTabVisible(tab, is_shown);
    }
    fill_more();
}

void ViewTabs::fill_more() {
    const auto shown = [this](int tab) -> const View& {
        return headlight::view(kinds_[static_cast<std::size_t>(tab)]);
    };
    QList<int> wanted;
    QList<QAction*> offered;
    for (int tab = 0; tab < count(); ++tab)
        if (!shown(tab).is_main || !isTabVisible(tab)) {
            wanted.append(tab);
            offered.append(choices_.at(tab));
        }
    if (std::exchange(offered_, offered) == offered)
        return;
    QMenu& menu = *qobject_cast<QToolButton*>(more_->defaultWidget())->menu();
    menu.clear();
    for (qsizetype at = 0; at < wanted.size(); ++at) {
        const View& here = shown(wanted[at]);
        const View& before = shown(wanted[std::max<qsizetype>(at - 1, 0)]);
        if (here.is_main != before.is_main || here.reads_every_head != before.reads_every_head)
            menu.addSeparator();
        menu.addAction(offered[at]);
    }
}

void ViewTabs::reset_zoom() {
    if (FigureCanvas* figure = current_page().figure)
        figure->reset_zoom();
}

void ViewTabs::show_only_picture(bool only) {
    only_picture_ = only;
    tabBar()->setVisible(!only);
    setFocusPolicy(only ? Qt::NoFocus
                        : Qt::TabFocus);  // the tabs would have the focus although they are hidden
    for (const Qt::Corner corner : {Qt::TopLeftCorner, Qt::TopRightCorner})
        if (QWidget* beside = cornerWidget(corner))
            beside->setVisible(!only);
    for (const Page& page : pages_)
        if (page.bar)
            page.bar->show_only_formula(only);
    if (map_)
        map_->put_away(only);
    show_tabs_with_room();
}

void ViewTabs::set_picture_font(const QFont& font) {
    for (int tab = 0; tab < count(); ++tab)
        widget(tab)->setFont(font);
    tabBar()->setFont(font);
    show_tabs_with_room();
}

void ViewTabs::set_map(MapStrip* map) {
    map_ = map;
    connect(map_, &MapStrip::notice, this, &ViewTabs::notice);
    map_->stand_in(currentWidget());
}

void ViewTabs::add_compared() {
    auto* comparison = static_cast<ComparePanel*>(view(ViewKind::compare));
    document_.looking().look_at(in_view(document_.view(), ViewKind::compare));
    comparison->open_chooser();
}

/// Those that can show what the session runs on.
void ViewTabs::offer_views() {
    for (int tab = 0; tab < count(); ++tab) {
        const ViewKind kind = kinds_[static_cast<std::size_t>(tab)];
        setTabEnabled(tab, document_.lacks(kind).empty());
        setTabToolTip(tab, view_tip(headlight::view(kind), document_));
    }
}

void ViewTabs::show_current() {
    QSignalBlocker quiet(this);
    offer_views();
    view(document_.view().view);
    const QWidget* focus = window()->focusWidget();
    const bool was_in_page = focus && currentWidget()->isAncestorOf(focus);
    const int tab = tab_of(document_.view().view);
    if (tab != currentIndex()) {
        setTabVisible(tab, true);
        setCurrentIndex(tab);
        if (was_in_page)  // Qt would choose the first control above the picture, which has other uses for
                          // keys
            currentWidget()->setFocus(Qt::OtherFocusReason);
    }
    show_tabs_with_room();
    if (map_)
        map_->stand_in(currentWidget());
    quiet.unblock();
    emit picture_changed();
}

}  // namespace headlight
