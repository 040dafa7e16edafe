#pragma once

#include "core/figure/view_settings.h"

#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QActionGroup;
class QComboBox;
class QMenu;
class QSettings;
class QToolBar;

namespace headlight {

class Document;

/// Everything that can be chosen about how a run is looked at, as actions: the View menu and the bar above
/// the views show the same ones, and all follow the session.
class ViewActions : public QObject {
    Q_OBJECT
public:
    /// `settings` remember which theme the projector has taken the place of.
    ViewActions(Document& document, QSettings& settings, QObject* parent = nullptr);

    void fill_menu(QMenu& menu) const;
    void fill_bar(QToolBar& bar);

private:
    /// Actions of which exactly one is chosen, each standing for a value of one setting.
    QActionGroup* add_group(const QString& title);
    QAction* add_choice(QActionGroup* group, const QString& id, const QString& text, const QString& effect,
                        std::function<void(ViewSettings&)> choose,
                        std::function<bool(const ViewSettings&)> chosen);
    void add_views();
    void add_colour_maps();
    void add_scales();
    void add_themes();
    void refresh();
    /// What the projector's theme has taken the place of, if it just has.
    void remember_theme(const ViewSettings& before);
    /// One key leads to the projector's theme and back to the one before it: it stands at the theme that it
    /// would choose.
    void place_projector_key();

    Document& document_;
    QSettings& settings_;
    QActionGroup *views_, *colour_maps_, *scales_, *ranges_, *themes_;
    QAction* values_;
    QAction* image_view_ = nullptr;    ///< off while there is no image
    QAction* projector_ = nullptr;
    QComboBox* colour_map_ = nullptr;  ///< in the bar
    struct Choice {
        QAction* action;
        std::function<bool(const ViewSettings&)> chosen;
    };
    std::vector<Choice> choices_;
};

}  // namespace headlight
