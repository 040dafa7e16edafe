#include "ui/panels/view_actions.h"

#include "core/analysis/displayed_weights.h"
#include "core/analysis/pooled_layers.h"
#include "core/figure/colour.h"
#include "core/figure/figure.h"
#include "core/figure/stage_chain.h"
#include "core/figure/view.h"
#include "ui/models/action_tip.h"
#include "ui/models/document.h"
#include "ui/models/window_settings.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/describe.h"
#include "ui/views/shortcuts.h"

#include <QAction>
#include <QActionGroup>
#include <QDialogButtonBox>
#include <QIcon>
#include <QInputDialog>
#include <QLinearGradient>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>

namespace headlight {
namespace {

constexpr QSize swatch_size(40, 12);
const QString before_projector_key = QStringLiteral("view/theme_before_projector");

/// The map itself beside its name, low on the left.
QIcon swatch(const ColourMap& map) {
    QImage image(static_cast<int>(map.table.size()), 1, QImage::Format_RGB32);
    for (std::size_t i = 0; i < map.table.size(); ++i)
        image.setPixelColor(static_cast<int>(i), 0,
                            QColor(map.table[i].red, map.table[i].green, map.table[i].blue));
    return QIcon(QPixmap::fromImage(image.scaled(swatch_size)));
}

/// One of those that stand in the menu.
bool is_usual(const ColourRange& range) {
    return range == ColourRange(range.kind) && range.kind != RangeKind::numbers;
}

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
    const bool are_alike = drawn->scale.high == to && (drawn->scale.low < 0) == (from < 0);
    return are_alike ? chosen : ColourRange(RangeKind::fitted);
}

/// The window has no paper: a figure for print is shown as on a light screen.
FigureTheme theme_of_window(FigureTheme theme) {
    return theme == FigureTheme::paper ? FigureTheme::light : theme;
}

}  // namespace

ViewActions::ViewActions(Document& document, WindowSettings& settings, QObject* parent)
    : QObject(parent), document_(document), settings_(settings), views_(add_group(tr("View"))),
      colour_maps_(add_group(tr("Colour map"))), scales_(add_group(tr("Scale"))),
      ranges_(add_group(tr("Range"))), weights_(add_group(tr("Weights"))), pooled_(add_group(tr("Heads"))),
      layers_(add_group(tr("Layers"))), spellings_(add_group(tr("Tokens"))), themes_(add_group(tr("Theme"))),
      values_(new QAction(tr("&Values in cells"), this)) {
    add_ways();
    add_views();
    add_colour_maps();
    add_scales();
    add_spellings();
    add_themes();
    values_->setObjectName(QStringLiteral("values_in_cells"));
    values_->setIconText(tr("Values"));
    values_->setCheckable(true);
    give_keys(*values_);
    values_->setToolTip(tr("Writes the numbers into the cells where they fit"));
    connect(values_, &QAction::triggered, this, [this](bool on) {
        FigureSettings figure = document_.session().figure;
        figure.values_in_cells = on;
        document_.change_figure(on ? tr("Show values") : tr("Hide values"), figure);
    });
    connect(&document_, &Document::session_changed, this, &ViewActions::refresh);
    connect(&document_, &Document::run_changed, this, [this] {
        refresh_offers();
        show_choices();
    });
    connect(&document_, &Document::view_changed, this, [this](const ViewState& before) {
        remember_theme(before.theme);
        refresh();
    });
    refresh();
}

QActionGroup* ViewActions::add_group(const QString& title) {
    auto* group = new QActionGroup(this);
    group->setObjectName(title);
    return group;
}

QAction* ViewActions::add_choice(QActionGroup* group, const QString& id, const QString& text,
                                 const QString& effect, std::function<void()> choose,
                                 std::function<bool()> chosen) {
    auto* action = new QAction(text, group);
    action->setObjectName(id);
    action->setCheckable(true);
    give_keys(*action);
    action->setToolTip(effect);
    connect(action, &QAction::triggered, this, std::move(choose));
    choices_.push_back({action, std::move(chosen)});
    return action;
}

template <class Value>
QAction* ViewActions::add_setting(QActionGroup* group, const QString& id, const QString& text,
                                  const QString& effect, Value FigureSettings::*part, Value value) {
    return add_choice(
        group, id, text, effect,
        [this, text, part, value] {
            FigureSettings figure = document_.session().figure;
            figure.*part = value;
            document_.change_figure(QString(text).remove(QChar('&')), figure);
        },
        [this, part, value] { return document_.session().figure.*part == value; });
}

void ViewActions::add_ways() {
    const auto add = [this](const QString& id, const QString& text, const QString& effect,
                            void (Document::*go)()) {
        auto* action = new QAction(text, this);
        action->setObjectName(id);
        give_keys(*action);
        action->setToolTip(effect);
        connect(action, &QAction::triggered, &document_, go);
        return action;
    };
    back_ =
        add(QStringLiteral("view_back"), tr("&Back"),
            tr("Back to what you last looked at for a while. Edits stay as they are"), &Document::go_back);
    forward_ = add(QStringLiteral("view_forward"), tr("&Forward"),
                   tr("Forward again to where Back came from"), &Document::go_forward);
    tell_lack(*back_, tr("Nothing was looked at before this"));
    tell_lack(*forward_, tr("Back was not chosen"));
}

void ViewActions::add_views() {
    for (std::size_t at = 0; at < views().size(); ++at) {
        const View& shown = views()[at];
        add_choice(
            views_, QStringLiteral("view_%1").arg(at + 1), QString::fromStdString(shown.title), {},
            [this, kind = shown.kind] { document_.look(in_view(document_.view(), kind)); },
            [this, kind = shown.kind] { return document_.view().view == kind; });
    }
}

void ViewActions::refresh_views() {
    for (qsizetype at = 0; at < views_->actions().size(); ++at) {
        const auto number = static_cast<std::size_t>(at);
        QAction* action = views_->actions().at(at);
        action->setEnabled(document_.lacks(views()[number].kind).empty());
        action->setToolTip(view_tip(number, document_));
    }
}

void ViewActions::add_colour_maps() {
    for (const ColourMap& map : colour_maps()) {
        const std::string name(map.name);
        QAction* action = add_setting(
            colour_maps_, QStringLiteral("colour_map_") + QString::fromStdString(name),
            QString::fromUtf8(map.label.data(), static_cast<qsizetype>(map.label.size())),
            map.diverging ? tr("Its middle stands for zero: for scores, which have a sign")
                          : tr("Perceptually uniform: equal steps of a number are equal steps for the eye"),
            &FigureSettings::colour_map, name);
        action->setIcon(swatch(map));
    }
}

void ViewActions::add_scales() {
    add_setting(scales_, QStringLiteral("scale_linear"), tr("&Linear"),
                tr("Colour follows the weight itself"), &FigureSettings::scale, ScaleKind::linear);
    add_setting(scales_, QStringLiteral("scale_log"), tr("Lo&g"),
                tr("Colour follows the logarithm: small weights beside one that drowns them become visible"),
                &FigureSettings::scale, ScaleKind::logarithmic);
    add_setting(ranges_, QStringLiteral("range_unit"), tr("&0 to 1"),
                tr("Colours from 0 to 1: the same colour is the same weight in every picture"),
                &FigureSettings::range, ColourRange(RangeKind::unit));
    add_setting(ranges_, QStringLiteral("range_fitted"), tr("&Fitted"),
                tr("Colours from the smallest to the largest number shown"), &FigureSettings::range,
                ColourRange(RangeKind::fitted));
    add_setting(ranges_, QStringLiteral("range_percentiles"), tr("1st to 99th &percentile"),
                tr("Colours for most of the numbers shown: a few that are far larger do not leave the others "
                   "dark. What lies outside has the colour of the end"),
                &FigureSettings::range, ColourRange(RangeKind::percentiles));
    add_choice(
        ranges_, QStringLiteral("range_other"), tr("&Other range…"),
        tr("Other percentiles, or from one number to another"), [this] { ask_range(); },
        [this] { return !is_usual(document_.session().figure.range); });
    add_setting<DrawnWeights>(weights_, QStringLiteral("weights_raw"), tr("&Weights"),
                              tr("Draws the weights as they are"), &FigureSettings::weights,
                              DrawnWeights::raw);
    norms_ = add_setting<DrawnWeights>(weights_, QStringLiteral("weights_value_norms"),
                                       tr("Value-weighted &norms"), {}, &FigureSettings::weights,
                                       DrawnWeights::value_norms);
    using Pooled = std::optional<PooledHeads>;
    add_setting<Pooled>(pooled_, QStringLiteral("heads_apart"), tr("Each &head"),
                        tr("Draws the weights of each head by themselves"), &FigureSettings::pooled, {});
    add_setting<Pooled>(pooled_, QStringLiteral("heads_mean"), tr("M&ean of heads"),
                        tr("Draws the mean of the weights of all heads in place of one head’s"),
                        &FigureSettings::pooled, PooledHeads::mean);
    add_setting<Pooled>(pooled_, QStringLiteral("heads_maximum"), tr("Largest of hea&ds"),
                        tr("Draws the largest weight of all heads in place of one head’s"),
                        &FigureSettings::pooled, PooledHeads::maximum);
    rollout_ = add_setting<Pooled>(pooled_, QStringLiteral("heads_rollout"), tr("R&ollout of layers"), {},
                                   &FigureSettings::pooled, PooledHeads::rollout);
    using Layers = std::optional<MapReduction>;
    add_setting<Layers>(layers_, QStringLiteral("layers_apart"), tr("Each la&yer"),
                        tr("Draws the weights of the layer that is looked at"),
                        &FigureSettings::pooled_layers, {});
    add_setting<Layers>(layers_, QStringLiteral("layers_mean"), tr("&Mean of layers"), {},
                        &FigureSettings::pooled_layers, MapReduction::mean);
    add_setting<Layers>(layers_, QStringLiteral("layers_maximum"), tr("La&rgest of layers"), {},
                        &FigureSettings::pooled_layers, MapReduction::maximum);
}

void ViewActions::add_spellings() {
    const auto add = [this](const QString& id, const QString& text, TokenSpelling spelling) {
        add_choice(
            spellings_, id, text, {},
            [this, text, spelling] {
                Session next = document_.session();
                next.capture->spelling = spelling;
                document_.edit(tr("Tokens: %1").arg(QString(text).remove(QChar('&')).toLower()),
                               std::move(next));
            },
            [this, spelling] {
                const auto& capture = document_.session().capture;
                return (capture ? capture->spelling : TokenSpelling::text) == spelling;
            });
    };
    add(QStringLiteral("tokens_text"), tr("As &text"), TokenSpelling::text);
    add(QStringLiteral("tokens_plain"), tr("As text &without spaces"), TokenSpelling::plain);
    add(QStringLiteral("tokens_stored"), tr("As &stored"), TokenSpelling::stored);
}

void ViewActions::ask_range() {
    const ColourRange& now = document_.session().figure.range;
    auto* ask = new QInputDialog(qobject_cast<QWidget*>(parent()));
    ask->setAttribute(Qt::WA_DeleteOnClose);
    describe(ask, QStringLiteral("range_dialog"), tr("Range of the colours"), {});
    ask->setWindowTitle(tr("Range of the colours"));
    ask->setLabelText(
        tr("Percentiles of the numbers, such as p1..p99, or numbers, such as 0..0.2.\n"
           "From below 0 it is a range for scores and other signed numbers, else for weights."));
    ask->setTextValue(
        QString::fromStdString(range_word(is_usual(now) ? ColourRange(RangeKind::percentiles) : now)));
    const auto typed = [ask] { return range_from_word(ask->textValue().trimmed().toStdString()); };
    connect(ask, &QInputDialog::textValueChanged, ask, [ask, typed] {
        if (const auto* buttons = ask->findChild<QDialogButtonBox*>())
            buttons->button(QDialogButtonBox::Ok)->setEnabled(typed().has_value());
    });
    connect(ask, &QDialog::finished, this, [this, typed](int result) {
        FigureSettings figure = document_.session().figure;
        if (const auto range = typed(); range && result == QDialog::Accepted) {
            figure.range = *range;
            document_.change_figure(tr("Range: %1").arg(QString::fromStdString(range_in_words(*range))),
                                    figure);
        }
        refresh();  // the choice was ticked when it was clicked
    });
    ask->open();
}

void ViewActions::refresh_offers() {
    const std::shared_ptr<const Run> run = document_.run();
    const FigureSettings& figure = document_.session().figure;
    const auto offer = [&](QAction* action, const QString& effect, const QString& other,
                           std::string (*lack)(const Trace&, const std::string&)) {
        const QString lacks =
            !other.isEmpty() ? other
            : run            ? QString::fromStdString(
                                   lack(*run->trace, find_site(*run->trace, document_.view().selection.site)))
                  : QString();
        action->setEnabled(lacks.isEmpty());
        action->setToolTip(lacks.isEmpty() ? effect : lacks.left(1).toUpper() + lacks.mid(1));
    };
    offer(norms_,
          tr("Draws, in place of each weight, the norm of the weight times its value times W_o: "
             "a large weight of a small value gives little"),
          figure.pooled == PooledHeads::rollout ? tr("A rollout is of weights, not of norms") : QString(),
          value_norms_lack);
    offer(rollout_,
          tr("Draws how much of each token at the start is in each token behind this layer: the means of the "
             "heads, half with the token itself, multiplied from the first layer on"),
          figure.weights == DrawnWeights::value_norms ? tr("A rollout is of weights, not of norms")
                                                      : QString(),
          rollout_lack);
    const bool is_rollout = figure.pooled == PooledHeads::rollout;
    const auto offer_layers = [&](int at, const QString& effect) {
        offer(layers_->actions().at(at), effect,
              is_rollout ? tr("A rollout goes through the layers") : QString(), layers_lack);
    };
    offer_layers(1, tr("Draws the mean of the weights of all layers of this kind in place of one layer’s"));
    offer_layers(2, tr("Draws the largest weight of all layers of this kind in place of one layer’s"));
    const auto& capture = document_.session().capture;
    const QString lacks = !capture ? tr("Only the tokens of a capture are stored in a tokenizer’s spelling")
                          : capture->unit != TokenUnit::token ? tr("Words and larger units are always text")
                                                              : QString();
    const QStringList effects{
        tr("Writes what a token means: “␣the” of a stored “Ġthe” or “▁the”, “é” of the two letters that "
           "stand for its bytes"),
        tr("Writes what a token means, without the spaces around it and without “##”"),
        tr("Writes the tokens as the model’s vocabulary has them, such as “Ġthe”, “▁the” or “<0xE4>”")};
    for (qsizetype i = 0; i < effects.size(); ++i) {
        QAction* action = spellings_->actions().at(i);
        action->setEnabled(lacks.isEmpty());
        action->setToolTip(lacks.isEmpty() ? effects[i] : lacks);
    }
}

void ViewActions::add_themes() {
    const auto add_theme = [this](const QString& id, const QString& text, const QString& effect,
                                  FigureTheme theme) {
        QAction* action = add_choice(
            themes_, id, text, effect,
            [this, theme] {
                ViewState view = document_.view();
                view.theme = theme;
                document_.look(view);
            },
            [this, theme] { return theme_of_window(document_.view().theme) == theme; });
        action->setData(int(theme));
        action->setAutoRepeat(false);                         // a key that is held would go there and back
        action->setShortcutContext(Qt::ApplicationShortcut);  // all windows have the theme, and so the key
        return action;
    };
    add_theme(QStringLiteral("theme_light"), tr("&Light"), tr("Dark on light"), FigureTheme::light);
    add_theme(QStringLiteral("theme_dark"), tr("&Dark"), tr("Light on dark"), FigureTheme::dark);
    add_theme(QStringLiteral("theme_contrast"), tr("&High contrast"),
              tr("White on black, with the strongest contrast"), FigureTheme::contrast);
    projector_ = add_theme(QStringLiteral("theme_projector"), tr("&Projector"),
                           tr("Large and with strong contrast, for the last row"), FigureTheme::projector);
}

void ViewActions::fill_menu(QMenu& menu) const {
    menu.addActions({back_, forward_});
    menu.addSeparator();
    menu.addActions(views_->actions());
    menu.addSeparator();
    menu.addMenu(tr("&Colour map"))->addActions(colour_maps_->actions());
    QMenu* colours = menu.addMenu(tr("&Range of the colours"));
    colours->addActions(ranges_->actions());
    colours->addSeparator();
    colours->addActions(scales_->actions());
    menu.addMenu(tr("&Weights or norms"))->addActions(weights_->actions());
    QMenu* pooled = menu.addMenu(tr("&Heads and layers, or one map of them"));
    pooled->addActions(pooled_->actions());
    pooled->addSeparator();
    pooled->addActions(layers_->actions());
    menu.addMenu(tr("To&kens of a capture"))->addActions(spellings_->actions());
    menu.addAction(values_);
    menu.addMenu(tr("&Theme"))->addActions(themes_->actions());
}

void ViewActions::fill_bar(QToolBar& bar) {
    bar.setIconSize(swatch_size);
    auto* more = add_choice_button(bar, QStringLiteral("more_views"), tr("More views"),
                                   tr("Every view, also those whose tabs have no room"));
    more->setText(tr("More"));
    more->menu()->addActions(views_->actions());
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
    bar.addAction(values_);
    refresh();
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
    const auto plain = [](const QAction* action) { return QString(action->text()).remove(QChar('&')); };
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

void ViewActions::refresh() {
    for (const Choice& choice : choices_)
        choice.action->setChecked(choice.chosen());
    values_->setChecked(document_.session().figure.values_in_cells);
    refresh_views();
    refresh_offers();
    back_->setEnabled(document_.places().can_go_back());
    forward_->setEnabled(document_.places().can_go_forward());
    show_choices();
    place_projector_key();
}

void ViewActions::remember_theme(FigureTheme before) {
    if (document_.view().theme != FigureTheme::projector || before == FigureTheme::projector)
        return;
    for (const QAction* theme : themes_->actions())
        if (theme->data() == int(theme_of_window(before)))
            settings_.set_value(before_projector_key, theme->objectName());
}

void ViewActions::place_projector_key() {
    const QString before = settings_.value(before_projector_key).toString();
    QAction* chosen = projector_;
    if (projector_->isChecked()) {
        chosen = themes_->actions().constFirst();
        for (QAction* theme : themes_->actions())
            if (theme != projector_ && theme->objectName() == before)
                chosen = theme;
    }
    for (QAction* theme : themes_->actions())
        theme->setShortcuts(theme == chosen ? keys_of(projector_->objectName()) : QList<QKeySequence>());
}

}  // namespace headlight
