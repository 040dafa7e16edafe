#pragma once

#include "core/figure/view_settings.h"

#include <QList>
#include <QObject>
#include <QSize>

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QActionGroup;
class QToolBar;
class QToolButton;
class QWidgetAction;

namespace headlight {

class Actions;
class Document;
class WindowSettings;

/// Everything that can be chosen about where a run is looked at and how it is drawn: what the actions of the
/// menus do, which the bar beside the tabs of the views shows as well, and that all follow the session.
class ViewActions : public QObject {
    Q_OBJECT
public:
    /// `settings` remember which theme the projector has taken the place of.
    ViewActions(Document& document, WindowSettings& settings, Actions& actions, QObject* parent = nullptr);

    void fill_bar(QToolBar& bar);
    /// The button of the bar that leads to views without a tab; whoever has the tabs fills its menu.
    QWidgetAction* more_views() const { return more_views_; }
    /// What chooses each view, in the order of views().
    QList<QAction*> view_choices() const;

private:
    static constexpr QSize swatch_size{40, 12};  ///< of a map of colours

    /// Actions of which exactly one is chosen, each standing for a value of one setting.
    QActionGroup* add_group(const QString& title);
    void add_choice(QActionGroup* group, QAction* action, std::function<void()> choose,
                    std::function<bool()> chosen);
    /// A choice of `value` for a part of the figure's settings: an edit.
    template <class Value>
    void add_setting(QActionGroup* group, QAction* action, Value FigureSettings::*part, Value value);
    /// An action of the row `id`, which stands for each view or map of colours that is declared.
    QAction* make_one(const QString& id, const QString& one, const std::string& text, const QString& effect);
    void add_views();
    void add_colour_maps();
    /// As the theme shows the maps.
    void colour_swatches();
    void add_scales();
    /// Percentiles or numbers that a person types.
    void ask_range();
    /// How the tokens of a capture are written.
    void add_spellings();
    void add_themes();
    QToolButton* add_choice_button(QToolBar& bar, const QString& id, const QString& name,
                                   const QString& effect);
    void add_values_button(QToolBar& bar);
    /// The actions of each group under its name, in the menu of `button`.
    static void add_sections(const QToolButton& button, std::initializer_list<QActionGroup*> groups);
    void refresh();
    /// On the buttons of the bar: what is chosen.
    void show_choices();
    /// The range in words, as it is for the numbers that are drawn: what is chosen for weights is not that of
    /// signed numbers, which are fitted.
    QString range_in_force() const;
    /// A view that cannot be shown is off, and says why.
    void refresh_views();
    /// Norms of what keys give, rollout, one map of all layers and spellings of tokens are off where there
    /// are none, and say why.
    void refresh_offers();
    /// Off, and says so, where it lacks anything.
    void show_lack(QAction* action, const QString& lacks);
    /// What the projector's theme has taken the place of, if it just has.
    void remember_theme(FigureTheme before);
    /// One key leads to the projector's theme and back to the one before it: it stands at the theme that it
    /// would choose.
    void place_projector_key();

    Document& document_;
    WindowSettings& settings_;
    Actions& actions_;
    QActionGroup *views_, *colour_maps_, *scales_, *ranges_, *weights_, *pooled_, *layers_, *spellings_,
        *themes_;
    QAction *values_, *back_, *forward_;
    QAction *norms_ = nullptr, *rollout_ = nullptr;
    QAction* projector_ = nullptr;
    std::optional<FigureTheme> swatches_of_;  ///< the theme that they are shown in
    // In the bar.
    QWidgetAction* more_views_ = nullptr;
    QToolButton *colour_map_ = nullptr, *range_ = nullptr;
    QToolButton* lens_ = nullptr;  ///< what stands for the weights
    struct Choice {
        QAction* action;
        std::function<bool()> chosen;
    };
    std::vector<Choice> choices_;
};

}  // namespace headlight
