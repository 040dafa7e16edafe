#include "ui/views/map_bar.h"

#include "core/analysis/pooled_layers.h"
#include "core/analysis/rollout.h"
#include "core/catalog/nearest_mechanism.h"
#include "core/figure/build_figure.h"
#include "core/figure/image_view.h"
#include "core/figure/stage_chain.h"
#include "core/figure/view.h"
#include "core/io/seen_picture.h"
#include "core/workbench/figure_edits.h"
#include "core/workbench/playback.h"
#include "ui/models/document.h"
#include "ui/views/cell_place.h"
#include "ui/views/formula_view.h"
#include "ui/views/lazy_combo.h"
#include "ui/views/stage_strip.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace headlight {
namespace {

constexpr int gap_in_bar = 8;

/// A formula that is smaller beside the stages stands above them, where it is larger there.
constexpr double least_share_beside = 0.89;

/// What the list of layers offers behind the one that is looked at.
constexpr MapReduction layer_poolings[] = {MapReduction::mean, MapReduction::maximum};

/// What the list of heads offers behind them, where the view can draw one map of all.
constexpr PooledHeads poolings[] = {PooledHeads::mean, PooledHeads::maximum, PooledHeads::rollout};

/// Whose formula says what attends at a place of a model; null where nobody knows.
const Mechanism* mechanism_of_site(const Trace& trace, const std::string& site) {
    const AttentionSpec* spec = trace.known_spec_at(site);
    return spec ? nearest_mechanism(*spec) : nullptr;
}

}  // namespace

MapBar::MapBar(Document& document, ViewKind kind, QWidget* parent)
    : QWidget(parent), document_(document), kind_(kind), line_(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      choices_(new QHBoxLayout), formula_(new FormulaView), strip_(new StageStrip) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    formula_->setObjectName(QStringLiteral("formula"));
    line_->setContentsMargins(0, 0, gap_in_bar, 0);
    line_->setSpacing(gap_in_bar);
    line_->addWidget(formula_);
    line_->addLayout(choices_, 1);
    choices_->setSpacing(gap_in_bar);
    choices_->addWidget(strip_, 1);
    connect(strip_, &StageStrip::chosen, this, [this](const std::string& stage) {
        ViewState there = document_.view();
        there.selection.stage = stage;
        // A view of weights shows no other stage: where the player leads, too.
        if (shown().stages == View::Stages::weights && stage != "weights")
            document_.looking().look_at(in_view(there, ViewKind::stages));
        else
            document_.looking().select(there.selection);
    });
    if (shown().chooses_layers()) {
        layers_ = new LazyCombo;
        layers_->setObjectName(QStringLiteral("layer-choice"));
        layers_->setAccessibleName(tr("Layers"));
        layers_->setToolTip(tr("The weights of this layer, or of all layers of its kind as one map"));
        choices_->addWidget(layers_);
        connect(layers_, &QComboBox::activated, this, &MapBar::choose_layers);
    }
    if (shown().chooses_one_head()) {
        heads_ = new LazyCombo;
        heads_->setObjectName(QStringLiteral("head-choice"));
        heads_->setAccessibleName(tr("Head"));
        heads_->setToolTip(tr("Which head is shown (digits 1 to 9), or the weights of all as one map"));
        choices_->addWidget(heads_);
        connect(heads_, &QComboBox::activated, this, &MapBar::choose_heads);
    }
    connect(&document_, &Document::run_changed, this, &MapBar::refresh);
    connect(&document_, &Document::session_changed, this, &MapBar::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &MapBar::refresh);
    refresh();
}

const View& MapBar::shown() const { return view(kind_); }

void MapBar::show_only_formula(bool only) {
    only_formula_ = only;
    refresh();
}

void MapBar::refresh() {
    const Session& session = document_.session();
    const std::shared_ptr<const Run> run = document_.run();
    const Selection place = run ? shown_selection(*run->trace, session.view) : session.view.selection;
    const bool runs_mechanism = session.runs_mechanism();
    const Mechanism* of_model =
        shown().says_formula_of_part && run && !runs_mechanism && !run->is_of_mechanism()
            ? mechanism_of_site(*run->trace, place.site)
            : nullptr;
    formula_->set_formula(of_model ? of_model->id : session.mechanism, place.stage);
    // Without one it would be the formula of another.
    formula_->setVisible(runs_mechanism ? !session.custom : of_model != nullptr);
    strip_->setVisible(!only_formula_);
    if (run) {
        show_stages();
        show_heads();
        show_layers();
    } else {
        listed_run_.reset();
        strip_->set_stages({});
    }
    share();
}

void MapBar::show_stages() {
    const std::shared_ptr<const Run> run = document_.run();
    const Selection& selection = document_.view().selection;
    if (listed_run_.lock() != run || listed_site_ != selection.site) {
        listed_run_ = run;
        listed_site_ = selection.site;
        list_stages(*run, selection.site);
    }
    // A stage that repeats another is seen in that one's picture.
    const std::string seen =
        strip_->offers(selection.stage)
            ? selection.stage
            : StageChain(*run->trace, find_site(*run->trace, selection.site)).shown_by(selection.stage);
    // Views of maps show the weights while a stage of another shape is selected, some always.
    const bool shows_it = shown().stages != View::Stages::weights && strip_->offers(seen);
    strip_->set_current(shows_it ? seen : "weights");
}

void MapBar::list_stages(const Run& run, const std::string& site) {
    std::vector<std::string> offered = visible_stages(*run.trace, site);
    if (shown().stages == View::Stages::maps)
        std::erase_if(offered, [&](const std::string& name) {
            const Stage* stage = run.trace->find(name, site);
            return !stage || !(matrix_axes(*stage) == MatrixAxes());
        });
    if (const PatchedPicture image = seen_picture(*run.session, run.transcript.get());
        shown().stages == View::Stages::patches && image)
        offered = image_stages(*run.trace, site, image.grid().count());
    std::vector<StageStrip::Named> named;
    named.reserve(offered.size());
    for (const std::string& stage : offered)
        named.push_back({stage, stage_title(*run.trace, stage, site)});
    strip_->set_stages(std::move(named));
}

void MapBar::choose_heads(int row) {
    const int heads = heads_of_list_;
    std::optional<PooledHeads> pooled;
    if (row >= heads)
        pooled = poolings[static_cast<std::size_t>(row - heads)];
    if (shown().pools_heads)
        document_.edit(choose_in_figure<std::optional<PooledHeads>>(
            document_.session(), heads_->itemText(row).toStdString(), &FigureSettings::pooled, pooled));
    if (row >= heads)
        return;
    Selection selection = document_.view().selection;
    selection.head = row;
    document_.looking().select(selection);
}

void MapBar::show_heads() {
    if (!heads_)
        return;
    const Selection& selection = document_.view().selection;
    const QSignalBlocker quiet(heads_);
    const auto count = static_cast<int>(head_count(*document_.run()->trace, selection.site));
    const std::optional<PooledHeads>& chosen = document_.session().figure.pooled;
    const bool is_pooled = chosen && shown().pools_heads && is_weight_stage(selection.stage);
    const PooledHeads pooled = chosen.value_or(PooledHeads::mean);
    const Trace& trace = *document_.run()->trace;
    const bool has_rollout =
        shown().pools_heads && ((is_pooled && pooled == PooledHeads::rollout) ||
                                rollout_lack(trace, find_site(trace, selection.site)).empty());
    if (heads_of_list_ != count || lists_rollout_ != has_rollout) {
        heads_of_list_ = count;
        lists_rollout_ = has_rollout;
        heads_->clear();
        for (int head = 0; head < count; ++head)
            heads_->addItem(tr("Head %1 of %2").arg(head + 1).arg(count));
        if (shown().pools_heads)
            heads_->addItems({tr("Mean of %1 heads").arg(count), tr("Largest of %1 heads").arg(count)});
        if (has_rollout)
            heads_->addItem(tr("Rollout of layers"));
        heads_->updateGeometry();
        heads_width_ = 0;
    }
    const auto pooling = static_cast<int>(std::ranges::find(poolings, pooled) - std::begin(poolings));
    const int one = std::clamp(static_cast<int>(selection.head), 0, std::max(count - 1, 0));
    heads_->setCurrentIndex(is_pooled ? count + pooling : one);
    // Heads that are drawn over one another are chosen elsewhere.
    const bool are_chosen =
        shown().overlays_heads && std::ranges::any_of(document_.session().figure.options.heads,
                                                      [count](Index head) { return head < count; });
    heads_->setVisible(count > 1 && !only_formula_ && !are_chosen);
}

void MapBar::choose_layers(int row) {
    std::optional<MapReduction> pooled;
    if (row > 0)
        pooled = layer_poolings[row - 1];
    document_.edit(choose_in_figure<std::optional<MapReduction>>(
        document_.session(), layers_->itemText(row).toStdString(), &FigureSettings::pooled_layers, pooled));
}

void MapBar::show_layers() {
    if (!layers_)
        return;
    const Selection& selection = document_.view().selection;
    const FigureSettings& figure = document_.session().figure;
    const Trace& trace = *document_.run()->trace;
    const std::string site = find_site(trace, selection.site);
    const Index count = std::ssize(weights_of_layers(trace, site));
    const QSignalBlocker quiet(layers_);
    if (layers_of_list_ != count) {
        layers_of_list_ = count;
        layers_->clear();
        layers_->addItems(
            {tr("This layer"), tr("Mean of %1 layers").arg(count), tr("Largest of %1 layers").arg(count)});
        layers_->updateGeometry();
        layers_width_ = 0;
    }
    const auto chosen = std::ranges::find(layer_poolings, figure.pooled_layers.value_or(MapReduction::mean));
    layers_->setCurrentIndex(figure.pooled_layers ? 1 + static_cast<int>(chosen - std::begin(layer_poolings))
                                                  : 0);
    // What was chosen can be taken back wherever it is not possible.
    layers_->setVisible(!only_formula_ && is_weight_stage(selection.stage) &&
                        figure.pooled != PooledHeads::rollout &&
                        (figure.pooled_layers || layers_lack(trace, site).empty()));
}

QSize MapBar::minimumSizeHint() const {
    // The formula takes its part of whatever width there is: it keeps nobody from making the bar narrower.
    QSize least = QWidget::minimumSizeHint();
    if (!formula_->isHidden())
        least.setWidth(choices_->minimumSize().width() + 2 * gap_in_bar);
    return least;
}

int MapBar::width_beside_formula() {
    const bool has_heads = heads_ && !heads_->isHidden();
    if (has_heads && heads_width_ == 0)
        heads_width_ = heads_->sizeHint().width();
    const bool has_layers = layers_ && !layers_->isHidden();
    if (has_layers && layers_width_ == 0)
        layers_width_ = layers_->sizeHint().width() + gap_in_bar;
    return strip_->width_of_neighbours() + (has_heads ? heads_width_ : 0) + (has_layers ? layers_width_ : 0) +
           4 * gap_in_bar;
}

void MapBar::share() {
    const int wanted = formula_->sizeHint().width();
    const int beside = only_formula_ ? width() : width() - width_beside_formula();
    const int alone = width() - gap_in_bar;
    // Small type can still be read in a formula, half of a stage's name cannot. But high lines that would be
    // shrunk beside the stages take no more room above them, in fewer lines and in their size.
    const auto is_better_alone = [&] {
        return !formula_->is_legible_in(beside) ||
               formula_->share_in(beside) < std::min(least_share_beside, formula_->share_in(alone));
    };
    const bool is_above = !only_formula_ && !formula_->isHidden() && wanted > beside && is_better_alone();
    const int most = is_above ? alone : std::max(beside, 1);
    const QBoxLayout::Direction direction = is_above ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    const int width = std::min(wanted, most);
    const QSize size(width, formula_->heightForWidth(width));
    if (direction == line_->direction() && size == formula_->size() && size == formula_->minimumSize())
        return;
    line_->setDirection(direction);
    line_->setSpacing(is_above ? 0 : gap_in_bar);
    line_->update();
    formula_->setFixedSize(size);
    updateGeometry();  // also in the midst of a layout, which has the height of the formula before
}

bool MapBar::event(QEvent* event) {
    const bool is_handled = QWidget::event(event);
    if (event->type() == QEvent::FontChange) {
        heads_width_ = layers_width_ = 0;
        share();
    } else if (event->type() == QEvent::LayoutRequest) {
        share();  // a stage with a longer name is current, or there are heads to choose from
    }
    return is_handled;
}

void MapBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    share();
}

}  // namespace headlight
