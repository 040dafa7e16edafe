// The bar beside the tabs of the views: what is chosen, and the choices.

#include "ui/panels/view_actions.h"

#include "core/figure/colour.h"
#include "core/figure/figure.h"
#include "ui/models/document.h"
#include "ui/models/menu_text.h"
#include "ui/views/describe.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>

namespace headlight {
namespace {

/// The range that the stage in focus, else the first panel, is drawn with where `chosen` is asked for: fitted
/// where its colours go elsewhere.
ColourRange scale_of_focus(const Figure& figure, const ColourRange& chosen) {
    const auto has_colours = [](const Panel& panel) {
        return is_coloured(panel) && !panel.thumbnail && !panel.blank && panel.kind != Panel::Kind::text;
    };
    const auto focus = std::ranges::find_if(
        figure.panels, [&](const Panel& panel) { return has_colours(panel) && panel.in_focus; });
    const auto drawn =
        focus != figure.panels.end() ? focus : std::ranges::find_if(figure.panels, has_colours);
    if (drawn == figure.panels.end())
        return chosen;
    const bool is_unit = chosen.kind == RangeKind::unit;
    const double from = is_unit ? 0 : chosen.from, to = is_unit ? 1 : chosen.to;
    // Implied weights below 0 beside those of a softmax: as far as theirs, both ways from 0.
    if (is_unit && drawn->scale.high == to && drawn->scale.low == -to)
        return {RangeKind::numbers, -to, to};
    const bool are_alike = drawn->scale.high == to && (drawn->scale.low < 0) == (from < 0);
    return are_alike ? chosen : ColourRange(RangeKind::fitted);
}

}  // namespace

void ViewActions::fill_bar(QToolBar& bar) {
    bar.setIconSize(swatch_size);
    auto* more = add_choice_button(bar, QStringLiteral("more_views"), tr("More views"),
                                   tr("Every view that has no tab, with its key"));
    more->setText(tr("More"));
    more_views_ = qobject_cast<QWidgetAction*>(bar.actions().constLast());
    colour_map_ = add_choice_button(bar, QStringLiteral("colour_map"), tr("Colour map"),
                                    tr("The colours that stand for the numbers"));
    colour_map_->menu()->addActions(colour_maps_->actions());
    range_ = add_choice_button(bar, QStringLiteral("colour_range"), tr("Range of the colours"),
                               tr("Which numbers the colours go from and to, and whether in equal steps"));
    add_sections(*range_, {ranges_, scales_});
    lens_ = add_choice_button(bar, QStringLiteral("weights_drawn"), tr("Weights or norms, heads and layers"),
                              tr("What is drawn of the weights"));
    add_sections(*lens_, {weights_, pooled_, layers_});
    add_values_button(bar);
    refresh();
}

void ViewActions::add_values_button(QToolBar& bar) {
    auto* button = new QToolButton;
    button->setDefaultAction(values_);
    describe(button, QStringLiteral("values_shown"), values_->iconText(), values_->toolTip());
    button->setFocusPolicy(Qt::TabFocus);
    button->setAutoRaise(true);
    bar.addWidget(button);  // the action itself could leave the bar only together with the menu
}

QToolButton* ViewActions::add_choice_button(QToolBar& bar, const QString& id, const QString& name,
                                            const QString& effect) {
    auto* button = new QToolButton;
    describe(button, id, name, effect);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAutoRaise(true);
    button->setMenu(new QMenu(button));
    bar.addWidget(button);
    return button;
}

void ViewActions::add_sections(const QToolButton& button, std::initializer_list<QActionGroup*> groups) {
    for (const QActionGroup* group : groups) {
        button.menu()->addSection(group->objectName());
        button.menu()->addActions(group->actions());
    }
}

QString ViewActions::range_in_force() const {
    const ColourRange& chosen = document_.session().figure.range;
    if (chosen.kind == RangeKind::percentiles)
        return tr("percentiles");
    const auto figure = chosen.follows_numbers() ? nullptr : document_.figure();
    const ColourRange drawn = figure ? scale_of_focus(*figure, chosen) : chosen;
    return drawn.kind == RangeKind::fitted ? tr("fitted") : QString::fromStdString(range_in_words(drawn));
}

void ViewActions::show_choices() {
    const QAction *map = colour_maps_->checkedAction(), *scale = scales_->checkedAction();
    if (!colour_map_ || !map || !ranges_->checkedAction() || !scale)
        return;
    const auto plain = [](const QAction* action) { return shown_words(action->text()); };
    const FigureSettings& figure = document_.session().figure;
    if (colour_map_->icon().cacheKey() != map->icon().cacheKey())  // the bar is laid out again for an icon
        colour_map_->setIcon(map->icon());
    colour_map_->setToolTip(tr("Colours: %1").arg(plain(map)));
    const QString in_full = QString::fromStdString(range_in_words(figure.range));
    QString words = range_in_force();
    if (figure.scale != ScaleKind::linear)
        words += QStringLiteral(", ") + plain(scale).toLower();
    range_->setToolTip(
        tr("Which numbers the colours go from and to, and whether in equal steps. Now: %1").arg(in_full));
    range_->setText(tr("Range: %1").arg(words));

    QStringList drawn;
    for (const QActionGroup* group : {weights_, pooled_, layers_})
        if (const QAction* chosen = group->checkedAction())
            drawn += plain(chosen).toLower();
    lens_->setToolTip(tr("What is drawn of the weights. Now: %1").arg(drawn.join(QStringLiteral(", "))));
    const QString what = figure.weights == DrawnWeights::value_norms ? tr("Norms") : tr("Weights");
    lens_->setText(figure.pooled || figure.pooled_layers ? tr("%1, pooled").arg(what) : what);
}

}  // namespace headlight
