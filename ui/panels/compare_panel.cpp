#include "ui/panels/compare_panel.h"

#include "core/workbench/comparison_edits.h"
#include "core/workbench/figure_edits.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/comparison_model.h"
#include "ui/models/document.h"
#include "ui/models/mechanism_library.h"
#include "ui/models/mechanism_model.h"
#include "ui/models/menu_text.h"
#include "ui/panels/compared_chip.h"
#include "ui/panels/comparison_table.h"
#include "ui/panels/mechanism_popup.h"
#include "ui/render/subscripts.h"
#include "ui/views/describe.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/flow_layout.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

constexpr std::size_t most_suggestions = 3;
constexpr int line_gap = 6;  // of the bar

QString name_of(const std::string& id) { return QString::fromStdString(mechanism(id).name); }

QString full_text() {
    return ComparePanel::tr("%1 mechanisms are compared, and that is the most. Remove one to add another.")
        .arg(most_compared + 1);
}

/// "temperature = 0.5, heads = 4": what differs from the defaults.
QString settings_text(const ParameterValues& values) {
    QStringList settings;
    for (const auto& [name, value] : values)
        settings += QStringLiteral("%1 = %2").arg(QString::fromStdString(name).replace(u'_', u' '),
                                                  QString::fromStdString(to_string(value)));
    return settings.join(QStringLiteral(", "));
}

/// A part that scrolls where the window is too small for it. Keys that nothing in it uses are the player's.
class ScrolledPart : public QScrollArea {
public:
    explicit ScrolledPart(QWidget* part) {
        setWidget(part);
        setWidgetResizable(true);
        setFrameShape(NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void keyPressEvent(QKeyEvent* event) override { event->ignore(); }
};

}  // namespace

ComparePanel::ComparePanel(Document& document, const MechanismLibrary& library, QWidget* parent)
    : QWidget(parent), document_(document), library_(library), model_(new ComparisonModel(document, this)),
      catalogue_(new MechanismModel(this)), pages_(new QStackedWidget),
      canvas_(new FigureCanvas(document, ViewKind::compare)) {
    canvas_->setAccessibleName(tr("Compared weights"));
    canvas_->set_title_action([this](const std::string& site) {
        return site.empty() ? QString()
                            : tr("Click to make %1 yours, or to take it out of the comparison")
                                  .arg(QString::fromStdString(site));
    });
    connect(canvas_, &FigureCanvas::title_clicked, this, &ComparePanel::open_menu_of);
    auto* shown = new QWidget;
    auto* column = new QVBoxLayout(shown);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(canvas_, 1);
    table_ = new ComparisonTable(*model_);
    column->addWidget(table_);
    shown->setFocusProxy(canvas_);
    page_ = new ScrolledPart(shown);
    page_->setFocusProxy(canvas_);
    pages_->addWidget(build_empty_page());
    pages_->addWidget(page_);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    bar_area_ = new ScrolledPart(build_bar());
    bar_area_->setObjectName(QStringLiteral("compare_bar_area"));
    layout->addWidget(bar_area_);
    layout->addWidget(pages_, 1);
    bar_area_->widget()->installEventFilter(this);
    page_->viewport()->installEventFilter(this);
    catalogue_->set_own(library.list());
    connect(&library, &MechanismLibrary::changed, this, [this] { catalogue_->set_own(library_.list()); });
    connect(&document_, &Document::session_changed, this, &ComparePanel::refresh);
    connect(&document_, &Document::run_changed, this, &ComparePanel::refresh);
    refresh();
}

QWidget* ComparePanel::build_bar() {
    auto* bar = new QWidget;
    bar->setObjectName(QStringLiteral("compare_bar"));
    bar->setAccessibleName(tr("Compared mechanisms"));
    bar_ = new FlowLayout(line_gap, bar);
    bar_->setContentsMargins(8, 4, 8, 4);
    add_ = new QToolButton;
    describe_with_key(add_, QStringLiteral("add_compared"), tr("Add a mechanism to compare"),
                      tr("Computes one more mechanism on the same tokens, up to five beside yours"),
                      QStringLiteral("compare_mechanism"));
    add_->setText(tr("Add mechanism…"));
    connect(add_, &QToolButton::clicked, this, &ComparePanel::open_chooser);
    bar_->addWidget(add_);
    full_ = new QLabel(tr("No more than %1").arg(most_compared + 1));
    full_->setObjectName(QStringLiteral("compare_full"));
    make_note(*full_);
    full_->setToolTip(full_text());
    bar_->addWidget(full_);
    bar_->addWidget(add_switch(QStringLiteral("own_scales"), tr("Own scales"),
                               tr("Colours of each map from its own smallest to its own largest weight, "
                                  "instead of one scale for all"),
                               &FigureSettings::own_scales));
    bar_->addWidget(add_switch(QStringLiteral("differences"), tr("Differences"),
                               tr("The weights of each mechanism minus those of yours: beside the two of "
                                  "them, or under each of more"),
                               &FigureSettings::differences));
    return bar;
}

QToolButton* ComparePanel::add_switch(const QString& id, const QString& text, const QString& effect,
                                      bool FigureSettings::*setting) {
    auto* button = new QToolButton;
    describe_with_key(button, id, text, effect);
    button->setText(text);
    button->setCheckable(true);
    give_role(*button, Role::option);
    give_keys(*button);
    connect(button, &QToolButton::clicked, this, [this, text, setting](bool on) {
        document_.edit(turn_in_figure(document_.session(), text.toStdString(), setting, on));
    });
    switches_.push_back({button, setting});
    return button;
}

void ComparePanel::fit() {
    // Two lines of the bar; the chips of more stand below, where one scrolls to.
    const QMargins margins = bar_->contentsMargins();
    const int line = bar_->sizeHint().height() - margins.top() - margins.bottom();
    const int two_lines = 2 * line + line_gap + margins.top() + margins.bottom();
    bar_area_->setFixedHeight(std::min(two_lines, bar_->heightForWidth(width())));
    // A picture of one row of maps has room for them above their labels, one of two rows for both; where the
    // window has less, it has all of that, and the table is below.
    const bool has_two_rows = document_.session().figure.differences && model_->rowCount() > 2;
    const int lines = has_two_rows ? 22 : 14;
    const int least = canvas_->minimumSizeHint().height();
    const int wanted = std::max(least, lines * fontMetrics().lineSpacing());
    canvas_->setMinimumHeight(std::clamp(page_->viewport()->height(), least, wanted));
}

bool ComparePanel::eventFilter(QObject* watched, QEvent* event) {
    const bool bar_changed = watched == bar_area_->widget() && event->type() == QEvent::LayoutRequest;
    const bool page_changed = watched == page_->viewport() && event->type() == QEvent::Resize;
    if (bar_changed || page_changed)
        fit();
    return QWidget::eventFilter(watched, event);
}

void ComparePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

QWidget* ComparePanel::build_empty_page() {
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("compare_empty"));
    invitation_ = new QLabel;
    invitation_->setObjectName(QStringLiteral("compare_invitation"));
    invitation_->setWordWrap(true);
    invitation_->setAlignment(Qt::AlignCenter);
    suggestions_ = new QVBoxLayout;
    suggestions_->setSpacing(16);
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addLayout(suggestions_, 4);
    middle->addStretch(1);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(16);
    layout->addStretch(2);
    layout->addWidget(invitation_);
    layout->addLayout(middle);
    layout->addStretch(3);
    return page;
}

void ComparePanel::open_chooser() {
    if (!can_compare_more(document_.session())) {
        emit notice(full_text());
        return;
    }
    if (!popup_) {
        popup_ = new MechanismPopup(*catalogue_, this);
        connect(popup_, &MechanismPopup::picked, this, [this](const QModelIndex& index) {
            add_picked(index);
            canvas_->setFocus(Qt::ShortcutFocusReason);
        });
    }
    popup_->open_below(*add_, {});
}

void ComparePanel::add(const std::string& id) {
    document_.edit(compare_mechanism(document_.session(), mechanism(id)));
}

void ComparePanel::add_picked(const QModelIndex& index) {
    if (const Mechanism* picked = catalogue_->mechanism_at(index)) {
        add(picked->id);
        return;
    }
    const QString name = index.data(MechanismModel::OwnNameRole).toString();
    if (const CustomMechanism* own = library_.find(name))
        document_.edit(compare_own_mechanism(document_.session(), *own));
}

void ComparePanel::remove(std::size_t index) { document_.edit(remove_compared(document_.session(), index)); }

void ComparePanel::make_main(std::size_t index) { document_.edit(use_as_main(document_.session(), index)); }

void ComparePanel::open_menu_of(const std::string& site) {
    for (ComparedChip* chip : chips_)
        if (chip->accessibleName() == QString::fromStdString(site))
            chip->open_menu(QCursor::pos());
}

void ComparePanel::accept(const ComparisonSuggestion& suggestion) {
    document_.edit(compare_suggested(document_.session(), suggestion));
}

void ComparePanel::refresh() {
    const Session& session = document_.session();
    // A model or a capture leaves nothing to choose: all of its sites are side by side.
    bar_area_->setVisible(session.runs_mechanism());
    table_->setVisible(session.runs_mechanism());
    if (!session.runs_mechanism()) {
        pages_->setCurrentWidget(page_);
        setFocusProxy(canvas_);
        return;
    }
    const bool has_others = !session.compared.empty() || !session.figure.pinned.empty();
    for (const Switch& each : switches_) {
        each.button->setChecked(session.figure.*each.setting);
        each.button->setEnabled(has_others);
    }
    add_->setVisible(can_compare_more(session));
    full_->setVisible(!can_compare_more(session));
    show_chips();
    fit();
    if (!has_others)
        show_suggestions();
    pages_->setCurrentIndex(has_others ? 1 : 0);
    setFocusProxy(has_others ? canvas_ : static_cast<QWidget*>(add_));
}

void ComparePanel::show_chips() {
    const Session& session = document_.session();
    const std::vector<std::string> names = comparison_names(session);
    const std::shared_ptr<const Run> run = document_.run();
    QStringList wanted, shown;
    for (const std::string& name : names)
        wanted += QString::fromStdString(name);
    for (const ComparedChip* chip : chips_)
        shown += chip->accessibleName();
    if (wanted != shown) {
        for (ComparedChip* chip : chips_) {
            bar_->removeWidget(chip);
            chip->hide();
            chip->deleteLater();
        }
        chips_.clear();
        for (qsizetype i = 0; i < wanted.size(); ++i) {
            auto* chip =
                new ComparedChip(wanted[i], i == 0 ? ComparedChip::Kind::own : ComparedChip::Kind::beside);
            chip->setAccessibleName(wanted[i]);
            chip->set_longest(wanted.size() > 4 ? 18 : 30);
            bar_->addWidget(chip);
            chip->show();
            chips_.push_back(chip);
            const auto index = static_cast<std::size_t>(i) - 1;
            // Not at once: the chip would be gone before its own button has done its part. Asked twice,
            // before the chips are made anew, it may be out of date the second time.
            const auto later = [this, name = names[static_cast<std::size_t>(i)],
                                index](void (ComparePanel::*edit)(std::size_t)) {
                return [this, name, index, edit] {
                    const std::vector<std::string> now = comparison_names(document_.session());
                    if (index + 1 < now.size() && now[index + 1] == name)
                        (this->*edit)(index);
                };
            };
            connect(chip, &ComparedChip::removal_requested, this, later(&ComparePanel::remove),
                    Qt::QueuedConnection);
            connect(chip, &ComparedChip::main_requested, this, later(&ComparePanel::make_main),
                    Qt::QueuedConnection);
        }
    }
    for (std::size_t i = 1; i < chips_.size(); ++i) {
        const bool has_run = run && i < run->comparison.size() && run->comparison[i].name == names[i];
        const auto refusal = has_run ? run->comparison[i].refusal : std::nullopt;
        const QString settings = settings_text(session.compared[i - 1].values);
        const QString known = wanted[static_cast<qsizetype>(i)];
        chips_[i]->set_details(refusal              ? refusal_text(*refusal)
                               : settings.isEmpty() ? tr("%1, every knob at its default").arg(known)
                                                    : tr("%1, %2").arg(known, settings),
                               refusal.has_value());
    }
}

void ComparePanel::show_suggestions() {
    const Session& session = document_.session();
    const QString own = QString::fromStdString(comparison_names(session).front());
    invitation_->setText(tr("Add a mechanism to compare with %1, on the same tokens.").arg(own));
    if (session.mechanism == suggested_for_ && !suggested_.empty())
        return;
    suggested_for_ = session.mechanism;
    for (QWidget* widget : suggested_)
        widget->deleteLater();
    suggested_.clear();
    for (const ComparisonSuggestion& suggestion : comparison_suggestions(session, most_suggestions)) {
        auto* button = new QPushButton(menu_text(name_of(suggestion.id)));
        const QString reason = QString::fromStdString(suggestion.reason);
        describe(button, QStringLiteral("suggestion_") + QString::fromStdString(suggestion.id),
                 tr("Compare with %1").arg(name_of(suggestion.id)),
                 reason.isEmpty() ? tr("Puts %1 beside %2").arg(name_of(suggestion.id), own)
                                  : tr("%1 Puts %2 beside %3").arg(reason, name_of(suggestion.id), own));
        connect(
            button, &QPushButton::clicked, this, [this, suggestion] { accept(suggestion); },
            Qt::QueuedConnection);
        auto* block = new QWidget;  // a reason stands nearer to its mechanism than to the next
        auto* column = new QVBoxLayout(block);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(4);
        column->addWidget(button, 0, Qt::AlignHCenter);
        suggestions_->addWidget(block);
        suggested_.push_back(block);
        if (reason.isEmpty())
            continue;
        auto* why = new WrappedLabel;
        make_note(*why);
        why->setAlignment(Qt::AlignHCenter);
        why->setTextFormat(Qt::RichText);
        why->show_text(html_with_subscripts(reason));
        column->addWidget(why);
    }
}

}  // namespace headlight
