#include "ui/panels/cost_dialog.h"

#include "core/figure/ticks.h"
#include "core/tensor/error.h"
#include "ui/models/cost_study.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/views/chart_plot.h"
#include "ui/views/copy_menu.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/save_path.h"
#include "ui/views/tabular_delegate.h"
#include "ui/views/wrapped_label.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// The rows that are ticked, whatever their name.
class TickedRows : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    Qt::ItemFlags flags(const QModelIndex& index) const override {
        return QSortFilterProxyModel::flags(index) & ~Qt::ItemIsUserCheckable;
    }
    QVariant data(const QModelIndex& index, int role) const override {
        return role == Qt::CheckStateRole ? QVariant() : QSortFilterProxyModel::data(index, role);
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex name = sourceModel()->index(row, CostStudy::name, parent);
        return name.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    }
};

struct QuantityChoice {
    CostQuantity quantity;
    const char* name;
    const char* axis;
    const char* meaning;
};
constexpr QuantityChoice quantities[] = {
    {CostQuantity::seconds, QT_TRANSLATE_NOOP("headlight::CostDialog", "Time"),
     QT_TRANSLATE_NOOP("headlight::CostDialog", "time of a run"),
     QT_TRANSLATE_NOOP("headlight::CostDialog",
                       "Measured: the quickest of several runs in float, on one core, no weights kept")},
    {CostQuantity::bytes, QT_TRANSLATE_NOOP("headlight::CostDialog", "Memory"),
     QT_TRANSLATE_NOOP("headlight::CostDialog", "memory of a run"),
     QT_TRANSLATE_NOOP("headlight::CostDialog",
                       "Measured: what a run allocates in float when it keeps no weights")},
    {CostQuantity::map_bytes, QT_TRANSLATE_NOOP("headlight::CostDialog", "Weights"),
     QT_TRANSLATE_NOOP("headlight::CostDialog", "memory of the weights"),
     QT_TRANSLATE_NOOP("headlight::CostDialog",
                       "Counted: the map of weights that the formula forms, 4 bytes a number")},
    {CostQuantity::multiply_adds, QT_TRANSLATE_NOOP("headlight::CostDialog", "Multiply-adds"),
     QT_TRANSLATE_NOOP("headlight::CostDialog", "multiply-adds"),
     QT_TRANSLATE_NOOP("headlight::CostDialog",
                       "Counted: products that are added up in projections, scores and weighted sums")},
};

const QuantityChoice& choice_of(CostQuantity quantity) {
    for (const QuantityChoice& choice : quantities)
        if (choice.quantity == quantity)
            return choice;
    return quantities[0];
}

/// "10 µs": a power needs no decimals.
QString axis_label(CostQuantity quantity, double value) {
    static const QRegularExpression zeros(QStringLiteral("\\.0+(?!\\d)"));
    return quantity_text(quantity, value).remove(zeros);
}

/// The picture of what is measured so far.
Chart chart_of(const CostStudy& study, const QString& title, const QString& y_title) {
    Chart chart;
    chart.title = title;
    chart.x =
        doubling_axis(CostDialog::tr("tokens, n"), CostStudy::shortest, static_cast<double>(study.most()),
                      [](double tokens) { return grouped_text(std::lround(tokens)); });
    const CostQuantity quantity = study.quantity();
    const bool is_memory = quantity == CostQuantity::bytes || quantity == CostQuantity::map_bytes;
    double CostPoint::*const member = member_of(quantity);
    std::size_t style = 0;
    for (const CostSeries& series : study.series()) {
        ChartLine line{series.name, {}, {}, series.points.empty() ? style : style++};
        for (const CostPoint& point : series.points)
            if (point.*member > 0)
                line.points.emplace_back(static_cast<double>(point.tokens), point.*member);
        if (line.points.empty())
            continue;
        if (const auto law = study.fit(series))
            line.note = QString::fromStdString(power_text("n", law->exponent));
        chart.lines.push_back(std::move(line));
    }
    chart.y = power_axis(y_title, chart.lines, is_memory ? 4 : 10,
                         [quantity](double value) { return axis_label(quantity, value); });
    chart.notice =
        study.is_running()
            ? CostDialog::tr("Measuring…")
            : CostDialog::tr("Tick mechanisms and press Measure. Points appear as they are measured.");
    return chart;
}

}  // namespace

CostDialog::CostDialog(Document& document, QWidget* parent)
    : QDialog(parent), document_(document), study_(new CostStudy(this)), plot_(new ChartPlot) {
    setObjectName(QStringLiteral("cost_dialog"));
    setWindowTitle(tr("Cost against the length of the text"));
    describe(plot_, QStringLiteral("cost_plot"), tr("Cost against tokens"),
             tr("The arrow keys lead along a line and from line to line"));
    plot_->setToolTip({});
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(build_controls());
    column->addWidget(plot_, 3);
    column->addWidget(build_ends());
    column->addWidget(build_table(), 1);
    auto* parts = new QSplitter;
    parts->addWidget(build_choice());
    parts->addWidget(right);
    parts->setStretchFactor(1, 1);
    parts->setChildrenCollapsible(false);
    const int name = 34 * fontMetrics().averageCharWidth();  // as long as most
    parts->setSizes({name, 3 * name});
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(parts);
    start_->setDefault(true);  // once it is in the dialog, which is told
    // A size hint would be cut to two thirds of the screen.
    resize(130 * fontMetrics().averageCharWidth(), 40 * fontMetrics().height());
    connect(study_, &CostStudy::changed, this, &CostDialog::refresh);
    connect(study_, &CostStudy::running_changed, this, &CostDialog::refresh);
}

void CostDialog::begin_fresh() {
    study_->set_session(document_.session());
    refresh();
}

void CostDialog::reject() {
    study_->cancel();
    QDialog::reject();
}

QWidget* CostDialog::build_choice() {
    constexpr int longest_name = 200;
    auto* choice = new QWidget;
    auto* search = new QLineEdit;
    describe(search, QStringLiteral("cost_search"), tr("Search the mechanisms"),
             tr("Lists only mechanisms whose name has these letters"));
    search->setPlaceholderText(tr("Search by name"));
    search->setMaxLength(longest_name);  // a pasted page is no expression that Qt could search for
    search->setClearButtonEnabled(true);
    auto* found = new QSortFilterProxyModel(choice);
    found->setSourceModel(study_);
    found->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* list = new QListView;
    describe(list, QStringLiteral("cost_mechanisms"), tr("Mechanisms to measure"),
             tr("Ticked ones are measured, with the knobs of the session or, further down, their defaults"));
    list->setModel(found);
    list->setUniformItemSizes(true);
    connect(search, &QLineEdit::textChanged, found, &QSortFilterProxyModel::setFilterFixedString);
    auto* column = new QVBoxLayout(choice);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(search);
    column->addWidget(list, 1);
    return choice;
}

QWidget* CostDialog::build_controls() {
    quantity_ = new QComboBox;
    describe(quantity_, QStringLiteral("cost_quantity"), tr("What is shown"), {});
    for (const QuantityChoice& each : quantities) {
        quantity_->addItem(tr(each.name));
        quantity_->setItemData(quantity_->count() - 1, tr(each.meaning), Qt::ToolTipRole);
    }
    connect(quantity_, &QComboBox::activated, this,
            [this](int row) { study_->set_quantity(quantities[row].quantity); });
    most_ = new QComboBox;
    describe(most_, QStringLiteral("cost_most"), tr("Longest text"),
             tr("Tokens of the last point. A mechanism stops before when a run takes over 2 seconds or its "
                "weights would take over 1 GB"));
    for (Index tokens = 256; tokens <= CostStudy::longest; tokens *= 2)
        most_->addItem(tr("up to n = %1").arg(grouped_text(tokens)), qlonglong(tokens));
    most_->setCurrentIndex(most_->findData(qlonglong(study_->most())));
    connect(most_, &QComboBox::activated, this, [this] {
        study_->cancel();
        study_->set_most(static_cast<Index>(most_->currentData().toLongLong()));
    });
    start_ = new QPushButton;
    connect(start_, &QPushButton::clicked, this, &CostDialog::toggle);
    progress_ = new QProgressBar;
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setFixedHeight(8);
    progress_->setAccessibleName(tr("Measuring"));
    copy_ = new QPushButton(tr("&Copy numbers"));
    describe(copy_, QStringLiteral("cost_copy"), tr("Copy the numbers"),
             tr("All digits of what is measured, for a spreadsheet"));
    connect(copy_, &QPushButton::clicked, this, &CostDialog::copy_numbers);
    save_ = new QPushButton(tr("&Save picture…"));
    describe(save_, QStringLiteral("cost_save"), tr("Save the picture"), tr("As a picture on white"));
    connect(save_, &QPushButton::clicked, this, &CostDialog::save_picture);
    for (QPushButton* button : {copy_, save_})
        button->setAutoDefault(false);
    auto* controls = new QWidget;
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(quantity_);
    row->addWidget(most_);
    row->addWidget(start_);
    row->addWidget(progress_, 1);
    row->addWidget(copy_);
    row->addWidget(save_);
    return controls;
}

QWidget* CostDialog::build_ends() {
    constexpr int most_lines = 4;
    ends_ = new WrappedLabel;
    ends_->setObjectName(QStringLiteral("cost_ends"));
    ends_->setAccessibleName(tr("Lines that end early or are missing"));
    make_note(*ends_);
    ends_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(ends_);
    // Its room is always there: the picture stays where it is when a line ends.
    area->setFixedHeight(most_lines * fontMetrics().lineSpacing());
    return area;
}

QWidget* CostDialog::build_table() {
    measured_ = new TickedRows(this);
    measured_->setSourceModel(study_);
    table_ = new QTableView;
    describe(table_, QStringLiteral("cost_table"), tr("Measured numbers"), {});
    table_->setModel(measured_);
    table_->setItemDelegate(new TabularDelegate(table_));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setTabKeyNavigation(false);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->setMinimumHeight(120);
    connect(&add_table_menu(*table_), &QAction::triggered, this, &CostDialog::copy_numbers);
    return table_;
}

void CostDialog::toggle() { study_->is_running() ? study_->cancel() : study_->start(); }

void CostDialog::copy_numbers() const { QGuiApplication::clipboard()->setText(study_->text()); }

void CostDialog::save_picture() {
    const QStringList extensions = ChartPlot::extensions();
    const QString path =
        ask_save_path(this, tr("Save picture"), QDir(pictures_folder()).filePath(QStringLiteral("cost.png")),
                      tr("Pictures (*.%1)").arg(extensions.join(QStringLiteral(" *."))), extensions);
    if (path.isEmpty())
        return;
    saving_.add({"save picture",
                 [path, chart = plot_->chart()]() -> Job::Delivery {
                     ChartPlot::save(chart, path);
                     return {};
                 },
                 [this](const Error& error) {
                     QMessageBox::warning(this, windowTitle(), QString::fromUtf8(error.what()));
                 }});
}

void CostDialog::refresh() {
    const bool running = study_->is_running();
    describe(start_, QStringLiteral("cost_start"), running ? tr("Stop measuring") : tr("Measure"),
             running ? tr("What is measured so far stays") : tr("Runs what is ticked at every length"));
    start_->setText(running ? tr("S&top") : tr("&Measure"));
    const bool any = std::ranges::any_of(study_->series(), &CostSeries::is_chosen);
    start_->setEnabled(running || any);
    for (QPushButton* button : {copy_, save_})
        button->setEnabled(study_->has_numbers());
    progress_->setVisible(running);
    progress_->setValue(static_cast<int>(1000 * study_->progress()));
    const QuantityChoice& choice = choice_of(study_->quantity());
    quantity_->setToolTip(tr(choice.meaning));
    plot_->set_chart(chart_of(*study_, tr(choice.name), tr(choice.axis)));
    ends_->show_text(study_->ends().join(QLatin1Char('\n')));
    fit_table();
}

void CostDialog::fit_table() {
    table_->resizeColumnsToContents();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
}

}  // namespace headlight
