#include "ui/panels/view_actions.h"

#include "core/analysis/displayed_weights.h"
#include "core/analysis/pooled_layers.h"
#include "core/figure/colour.h"
#include "core/figure/stage_chain.h"
#include "core/figure/theme_table.h"
#include "core/figure/view.h"
#include "core/workbench/capture_edits.h"
#include "core/workbench/figure_edits.h"
#include "ui/actions/actions.h"
#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"
#include "ui/actions/theme_rows.h"
#include "ui/models/document.h"
#include "ui/models/menu_text.h"
#include "ui/models/window_settings.h"
#include "ui/panels/view_tabs.h"
#include "ui/render/cell_image.h"
#include "ui/render/figure_style.h"
#include "ui/views/describe.h"
#include "ui/views/inside_qt.h"

#include <QAction>
#include <QActionGroup>
#include <QIcon>
#include <QInputDialog>
#include <QPixmap>
#include <QPushButton>

#include <type_traits>
#include <utility>

namespace headlight {
namespace {

const QString before_projector_key = QStringLiteral("view/theme_before_projector");

/// The map itself beside its name, low on the left.
QIcon swatch(std::span<const Rgb> colours, QSize size) {
    QImage image(static_cast<int>(colours.size()), 1, QImage::Format_RGB32);
    for (std::size_t i = 0; i < colours.size(); ++i)
        image.setPixelColor(static_cast<int>(i), 0,
                            QColor(colours[i].red, colours[i].green, colours[i].blue));
    return QIcon(QPixmap::fromImage(image.scaled(size)));
}

/// One of those that stand in the menu.
bool is_usual(const ColourRange& range) {
    return range == ColourRange(range.kind) && range.kind != RangeKind::numbers;
}

/// The window has no paper: a figure for print is shown as on a light screen.
FigureTheme theme_of_window(FigureTheme theme) { return is_for_paper(theme) ? FigureTheme::light : theme; }

}  // namespace

ViewActions::ViewActions(Document& document, WindowSettings& settings, Actions& actions, QObject* parent)
    : QObject(parent), document_(document), settings_(settings), actions_(actions),
      views_(add_group(tr("View"))), colour_maps_(add_group(tr("Colour map"))),
      scales_(add_group(tr("Scale"))), ranges_(add_group(tr("Range"))), weights_(add_group(tr("Weights"))),
      pooled_(add_group(tr("Heads"))), layers_(add_group(tr("Layers"))), spellings_(add_group(tr("Tokens"))),
      themes_(add_group(tr("Theme"))), values_(&actions.at(QStringLiteral("values_in_cells"))),
      back_(&actions.at(QStringLiteral("view_back"))), forward_(&actions.at(QStringLiteral("view_forward"))) {
    connect(back_, &QAction::triggered, &document_.looking(), &Looking::go_back);
    connect(forward_, &QAction::triggered, &document_.looking(), &Looking::go_forward);
    add_views();
    add_colour_maps();
    add_scales();
    add_spellings();
    add_themes();
    values_->setIconText(tr("Values"));
    values_->setCheckable(true);
    connect(values_, &QAction::triggered, this,
            [this](bool on) { document_.edit(show_values(document_.session(), on)); });
    connect(&document_, &Document::session_changed, this, &ViewActions::refresh);
    connect(&document_, &Document::run_changed, this, [this] {
        refresh_offers();
        show_choices();
    });
    connect(&document_.looking(), &Looking::view_changed, this, [this](const ViewState& before) {
        remember_theme(before.theme);
        refresh();
    });
    follow_keys(*this, [this] { refresh(); });
}

QActionGroup* ViewActions::add_group(const QString& title) {
    auto* group = new QActionGroup(this);
    group->setObjectName(title);
    return group;
}

QAction* ViewActions::make_one(const QString& id, const QString& one, const std::string& text,
                               const QString& effect) {
    QAction* action = make_action(id, this, {QString::fromStdString(text), effect}, one);
    give_keys(*action);
    return action;
}

void ViewActions::add_choice(QActionGroup* group, QAction* action, std::function<void()> choose,
                             std::function<bool()> chosen) {
    action->setCheckable(true);
    group->addAction(action);
    connect(action, &QAction::triggered, this, std::move(choose));
    choices_.push_back({action, std::move(chosen)});
}

template <class Value>
void ViewActions::add_setting(QActionGroup* group, QAction* action, Value FigureSettings::*part,
                              Value value) {
    add_choice(
        group, action,
        [this, action, part, value] {
            document_.edit(choose_in_figure<Value>(document_.session(),
                                                   shown_words(action->text()).toStdString(), part, value));
        },
        [this, part, value] { return document_.session().figure.*part == value; });
}

void ViewActions::add_views() {
    for (std::size_t at = 0; at < views().size(); ++at) {
        const View& shown = views()[at];
        add_choice(
            views_,
            make_one(QStringLiteral("view"), QString::number(at + 1), shown.title,
                     QString::fromStdString(shown.shows)),
            [this, kind = shown.kind] { document_.looking().look_at(in_view(document_.view(), kind)); },
            [this, kind = shown.kind] { return document_.view().view == kind; });
    }
    actions_.put(QStringLiteral("view"), views_->actions());
}

QList<QAction*> ViewActions::view_choices() const { return views_->actions(); }

void ViewActions::refresh_views() {
    for (qsizetype at = 0; at < views_->actions().size(); ++at) {
        const View& shown = views()[static_cast<std::size_t>(at)];
        QAction* action = views_->actions().at(at);
        action->setEnabled(document_.lacks(shown.kind).empty());
        action->setToolTip(view_tip(shown, document_));
    }
}

void ViewActions::add_colour_maps() {
    for (const ColourMap& map : colour_maps()) {
        const std::string name(map.name);
        QAction* action = make_one(
            QStringLiteral("colour_map"), QString::fromStdString(name), std::string(map.label),
            map.diverging ? tr("Its middle stands for zero: for scores, which have a sign")
                          : tr("Perceptually uniform: equal steps of a number are equal steps for the eye"));
        add_setting(colour_maps_, action, &FigureSettings::colour_map, name);
    }
    actions_.put(QStringLiteral("colour_map"), colour_maps_->actions());
}

void ViewActions::colour_swatches() {
    const FigureTheme theme = document_.view().theme;
    if (std::exchange(swatches_of_, theme) == theme)
        return;
    for (std::size_t at = 0; at < colour_maps().size(); ++at)
        colour_maps_->actions()
            .at(static_cast<qsizetype>(at))
            ->setIcon(swatch(shown_colours(colour_maps()[at].name, figure_style(theme)), swatch_size));
}

void ViewActions::add_scales() {
    const auto add = [this]<class Value, class Part>(QActionGroup* group, const char* id, Value Part::*part,
                                                     const std::type_identity_t<Value>& value) {
        QAction* action = &actions_.at(QLatin1String(id));
        add_setting<Value>(group, action, part, value);
        return action;
    };
    add(scales_, "scale_linear", &FigureSettings::scale, ScaleKind::linear);
    add(scales_, "scale_log", &FigureSettings::scale, ScaleKind::logarithmic);
    add(ranges_, "range_unit", &FigureSettings::range, ColourRange(RangeKind::unit));
    add(ranges_, "range_fitted", &FigureSettings::range, ColourRange(RangeKind::fitted));
    add(ranges_, "range_percentiles", &FigureSettings::range, ColourRange(RangeKind::percentiles));
    add_choice(
        ranges_, &actions_.at(QStringLiteral("range_other")), [this] { ask_range(); },
        [this] { return !is_usual(document_.session().figure.range); });
    add(weights_, "weights_raw", &FigureSettings::weights, DrawnWeights::raw);
    norms_ = add(weights_, "weights_value_norms", &FigureSettings::weights, DrawnWeights::value_norms);
    add(pooled_, "heads_apart", &FigureSettings::pooled, {});
    add(pooled_, "heads_mean", &FigureSettings::pooled, PooledHeads::mean);
    add(pooled_, "heads_maximum", &FigureSettings::pooled, PooledHeads::maximum);
    rollout_ = add(pooled_, "heads_rollout", &FigureSettings::pooled, PooledHeads::rollout);
    add(layers_, "layers_apart", &FigureSettings::pooled_layers, {});
    add(layers_, "layers_mean", &FigureSettings::pooled_layers, MapReduction::mean);
    add(layers_, "layers_maximum", &FigureSettings::pooled_layers, MapReduction::maximum);
}

void ViewActions::add_spellings() {
    const auto add = [this](const char* id, TokenSpelling spelling) {
        QAction* action = &actions_.at(QLatin1String(id));
        add_choice(
            spellings_, action,
            [this, action, spelling] {
                document_.edit(choose_spelling(document_.session(), spelling,
                                               shown_words(action->text()).toStdString()));
            },
            [this, spelling] {
                const auto& capture = document_.session().capture;
                return (capture ? capture->spelling : TokenSpelling::text) == spelling;
            });
    };
    add("tokens_text", TokenSpelling::text);
    add("tokens_plain", TokenSpelling::plain);
    add("tokens_stored", TokenSpelling::stored);
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
        if (QPushButton* accept = accept_button(*ask))
            accept->setEnabled(typed().has_value());
    });
    connect(ask, &QDialog::finished, this, [this, typed](int result) {
        if (const auto range = typed(); range && result == QDialog::Accepted)
            document_.edit(choose_range(document_.session(), *range));
        refresh();  // the choice was ticked when it was clicked
    });
    ask->open();
}

void ViewActions::refresh_offers() {
    const std::shared_ptr<const Run> run = document_.run();
    const FigureSettings& figure = document_.session().figure;
    const auto offer = [&](QAction* action, const QString& other,
                           std::string (*lack)(const Trace&, const std::string&)) {
        const QString lacks =
            !other.isEmpty() ? other
            : run            ? QString::fromStdString(
                                   lack(*run->trace, find_site(*run->trace, document_.view().selection.site)))
                  : QString();
        show_lack(action, lacks.left(1).toUpper() + lacks.mid(1));
    };
    const bool is_rollout = figure.pooled == PooledHeads::rollout;
    const QString of_weights = tr("A rollout is of weights, not of norms"),
                  of_layers = tr("A rollout goes through the layers");
    offer(norms_, is_rollout ? of_weights : QString(), value_norms_lack);
    offer(rollout_, figure.weights == DrawnWeights::value_norms ? of_weights : QString(), rollout_lack);
    for (QAction* layers : layers_->actions().mid(1))
        offer(layers, is_rollout ? of_layers : QString(), layers_lack);
    const auto& capture = document_.session().capture;
    const QString lacks = !capture ? tr("Only the tokens of a capture are stored in a tokenizer’s spelling")
                          : capture->unit != TokenUnit::token ? tr("Words and larger units are always text")
                                                              : QString();
    for (QAction* spelling : spellings_->actions())
        show_lack(spelling, lacks);
}

void ViewActions::show_lack(QAction* action, const QString& lacks) {
    action->setEnabled(lacks.isEmpty());
    action->setToolTip(lacks.isEmpty() ? actions_.effect(action->objectName()) : lacks);
}

void ViewActions::add_themes() {
    for (const FigureTheme chosen : window_themes()) {
        QAction* action = &actions_.at(QString::fromStdString(theme_action(theme_row(chosen))));
        add_choice(
            themes_, action,
            [this, chosen] {
                ViewState view = document_.view();
                view.theme = chosen;
                document_.looking().look_at(view);
            },
            [this, chosen] { return theme_of_window(document_.view().theme) == chosen; });
        action->setData(int(chosen));
        action->setAutoRepeat(false);                         // a key that is held would go there and back
        action->setShortcutContext(Qt::ApplicationShortcut);  // all windows have the theme, and so the key
        if (chosen == FigureTheme::projector)
            projector_ = action;
    }
}

void ViewActions::refresh() {
    for (const Choice& choice : choices_)
        choice.action->setChecked(choice.chosen());
    values_->setChecked(document_.session().figure.values_in_cells);
    colour_swatches();
    refresh_views();
    refresh_offers();
    back_->setEnabled(document_.looking().places().can_go_back());
    forward_->setEnabled(document_.looking().places().can_go_forward());
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
    for (QAction* theme : themes_->actions()) {
        QList<QKeySequence> keys;
        if (theme != projector_)
            keys = keys_of(theme->objectName());
        if (theme == chosen)
            keys += keys_of(projector_->objectName());
        theme->setShortcuts(keys);
    }
}

}  // namespace headlight
