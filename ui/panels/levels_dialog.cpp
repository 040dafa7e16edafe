#include "ui/panels/levels_dialog.h"

#include "core/io/files.h"
#include "core/io/program_file.h"
#include "core/io/session_words.h"
#include "core/tensor/error.h"
#include "core/workbench/depth.h"
#include "ui/models/document.h"
#include "ui/models/workbook_model.h"
#include "ui/views/closed_browser.h"
#include "ui/views/describe.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/level_text.h"
#include "ui/views/role.h"
#include "ui/views/save_path.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

/// Pages of the stack; the first four levels share one.
enum LevelPage { words_page, formula_page, spreadsheet_page, code_page };

constexpr const char* link_to_stage = "stage:";

}  // namespace

Level next_level(const std::optional<Level>& level, const Run* run) {
    if (!level)
        return Level::box;
    if (!run)
        return static_cast<Level>((static_cast<std::size_t>(*level) + 1) % words<Level>().size());
    const std::vector<Level> levels = levels_of(*run);
    const auto next = std::ranges::upper_bound(levels, *level);
    return next == levels.end() ? levels.front() : *next;
}

LevelsDialog::LevelsDialog(Document& document, QWidget* parent)
    : QDialog(parent), document_(document), tabs_(new QTabBar), pages_(new QStackedWidget),
      text_(new ClosedBrowser), problem_(new QLabel) {
    setObjectName(QStringLiteral("levels_dialog"));
    setWindowTitle(tr("One run, seven levels"));
    describe(tabs_, QStringLiteral("level_tabs"), tr("Levels"), tr("How near the run is looked at"));
    for (const Word<Level>& level : words<Level>())
        tabs_->addTab(QString::fromStdString(level_name(level.value)));
    tabs_->setExpanding(false);
    describe(text_, QStringLiteral("level_text"), tr("This level in words"), {});
    text_->setFrameShape(QFrame::NoFrame);
    connect(text_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { follow_link(link.toString()); });
    problem_->setObjectName(QStringLiteral("level_problem"));
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    give_role(*problem_, Role::problem);
    auto* words = new QWidget;
    auto* column = new QVBoxLayout(words);
    column->setContentsMargins(0, 0, 0, 0);
    map_ = new FigureCanvas(document_, ViewKind::map);
    describe(map_, QStringLiteral("level_map"), tr("Map of the box"),
             tr("What flows into what; a click on a part goes there"));
    column->addWidget(map_, 3);
    column->addWidget(text_, 2);
    pages_->addWidget(words);
    pages_->addWidget(build_formula());
    pages_->addWidget(build_spreadsheet());
    pages_->addWidget(build_code());
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs_);
    layout->addWidget(problem_);
    layout->addWidget(pages_, 1);
    follow_theme();
    // The letters of the map are as large as its width lets them be.
    resize(std::min(120 * fontMetrics().averageCharWidth(), screen()->availableSize().width()),
           30 * fontMetrics().height());
    connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) { look_at(static_cast<Level>(tab)); });
    connect(&document_.looking(), &Looking::view_changed, this, &LevelsDialog::follow);
    connect(&document_, &Document::run_changed, this, &LevelsDialog::refresh);
    follow();
}

void LevelsDialog::show_formula() {
    const QModelIndex cell = cells_->currentIndex();
    const QString formula = cell.data(WorkbookModel::formula_role).toString();
    formula_->setText(!cell.isValid() ? tr("Select a cell: its formula stands here")
                      : formula.isEmpty()
                          ? cell.data().toString()
                          : tr("%1: %2 = %3")
                                .arg(QString::fromStdString(cell_name(cell.row(), cell.column())),
                                     formula.mid(1), cell.data().toString()));
    formula_->setCursorPosition(0);
}

void LevelsDialog::reject() {
    ViewState view = document_.view();
    view.level.reset();
    document_.looking().look_at(view);
    QDialog::reject();
}

void LevelsDialog::look_at(Level level) {
    ViewState view = document_.view();
    if (view.level == level)
        return;
    view.level = level;
    document_.looking().look_at(view);
}

/// The document says which level is shown.
void LevelsDialog::follow() {
    follow_theme();
    const auto level = document_.view().level;
    if (!level) {
        hide();
        return;
    }
    refresh();
    if (!isVisible())
        show();
}

void LevelsDialog::show_problem(const QString& text) {
    problem_->setText(text);
    problem_->setVisible(!text.isEmpty());
    pages_->setVisible(text.isEmpty());
}

void LevelsDialog::offer(const Run* run, Level shown) {
    const std::vector<Level> there = run ? levels_of(*run) : std::vector<Level>();
    const QSignalBlocker silent(tabs_);
    for (int tab = 0; tab < tabs_->count(); ++tab) {
        const auto level = static_cast<Level>(tab);
        tabs_->setTabVisible(tab, !run || level == shown || std::ranges::count(there, level) > 0);
    }
    tabs_->setCurrentIndex(static_cast<int>(shown));
}

void LevelsDialog::refresh() {
    const auto level = document_.view().level;
    const auto run = document_.run();
    if (!level)
        return;
    offer(run.get(), *level);
    map_->setVisible(*level == Level::box);
    // What flows into what is known of a model, too; there is nothing else to say of it as a box.
    const bool is_of_mechanism = run && run->is_of_mechanism();
    text_->setVisible(!run || is_of_mechanism || *level != Level::box);
    mine_->setVisible(is_of_mechanism);
    if (!run)
        return show_problem(tr("There is no run to show yet."));
    if (const std::vector<Level> there = levels_of(*run); std::ranges::count(there, *level) == 0)
        return show_problem(tr("This level is of a mechanism, whose every step is known: not of a model, "
                               "nor of attention that was computed elsewhere."));
    show_problem({});
    switch (*level) {
    case Level::box:
        if (is_of_mechanism)
            text_->setHtml(box_text(*run));
        break;
    case Level::parts:
        text_->setHtml(parts_text(*run));
        break;
    case Level::tensors:
        text_->setHtml(tensors_text(*run));
        break;
    case Level::arithmetic:
        text_->setHtml(arithmetic_text(*run, document_.view()));
        break;
    case Level::formula:
    case Level::spreadsheet:
    case Level::code:
        pages_->setCurrentIndex(*level == Level::code      ? code_page
                                : *level == Level::formula ? formula_page
                                                           : spreadsheet_page);
        if (written_of_ != run || (!is_of_mechanism && written_at_ != document_.view().selection.site))
            return write();
        if (*level != Level::code)
            show_problem(*level == Level::formula ? written_.why_no_formula : written_.why_no_book);
        return;
    }
    pages_->setCurrentIndex(words_page);
}

LevelsDialog::Written LevelsDialog::written(const Run& run, const ViewState& view) {
    Written made;
    try {
        if (run.is_of_mechanism())
            made.own = std::make_shared<const OwnFormula>(own_formula(*run.plan));
        made.formula = QString::fromStdString(made.own ? made.own->text : formula_text(run, view));
    } catch (const Error& error) {
        made.why_no_formula = QString::fromStdString(error.what());
    }
    if (!run.is_of_mechanism())
        return made;
    const Program program = session_program(*run.session);
    made.numpy = QString::fromStdString(python_text(program, PythonLibrary::numpy));
    made.torch = QString::fromStdString(python_text(program, PythonLibrary::torch));
    try {
        made.book = std::make_shared<const Workbook>(workbook(program));
    } catch (const Error& error) {
        made.why_no_book = QString::fromStdString(error.what());
    }
    return made;
}

void LevelsDialog::write() {
    const auto run = document_.run();
    writing_.start(
        "write a program",
        [this, run, view = document_.view()](const Cancellation&) -> Job::Delivery {
            return [this, run, site = view.selection.site, made = written(*run, view)]() mutable {
                written_of_ = run;
                written_at_ = site;
                show_written(std::move(made));
            };
        },
        [this](const Error& error) { show_problem(QString::fromStdString(error.what())); });
}

void LevelsDialog::show_written(Written made) {
    written_ = std::move(made);
    {
        const QSignalBlocker silent(sheets_);
        sheets_->clear();
        if (written_.book)
            for (const WorkbookSheet& sheet : written_.book->sheets)
                sheets_->addItem(QString::fromStdString(sheet.name));
        sheets_->setCurrentIndex(sheets_->count() - 1);
    }
    formula_lines_->setPlainText(written_.formula);
    show_sheet();
    show_code();
    refresh();
}

void LevelsDialog::show_sheet() {
    model_->show(written_.book, static_cast<std::size_t>(std::max(sheets_->currentIndex(), 0)));
}

const QString& LevelsDialog::lines() const {
    return library_->currentIndex() == 0 ? written_.numpy : written_.torch;
}

/// As many as lay out within a frame.
void LevelsDialog::show_code() {
    constexpr qsizetype most_lines = 2000;
    qsizetype end = -1, count = 0;
    do
        end = lines().indexOf(QChar('\n'), end + 1);
    while (end >= 0 && ++count < most_lines);
    code_->setPlainText(end < 0 ? lines()
                                : lines().left(end) + tr("\n\n# … the rest is in what Copy and Save take"));
}

void LevelsDialog::follow_link(const QString& address) {
    if (!address.startsWith(QLatin1String(link_to_stage)))
        return;
    Selection selection = document_.view().selection;
    selection.site.clear();
    selection.stage = address.mid(static_cast<qsizetype>(qstrlen(link_to_stage))).toStdString();
    document_.looking().select(selection);
}

void LevelsDialog::write_to(const QString& path, const QString& done, std::function<std::string()> content) {
    saving_.add({"save file",
                 [this, path, done, content = std::move(content)]() -> Job::Delivery {
                     write_file_atomically(path.toStdString(), content());
                     return [this, path, done] { emit notice(done.arg(QFileInfo(path).fileName())); };
                 },
                 [this](const Error& error) { emit problem(error); }});
}

void LevelsDialog::export_spreadsheet() {
    if (!written_.book)
        return;
    const QString path = ask_save_path(this, tr("Export the spreadsheet"),
                                       QDir(documents_folder()).filePath(QStringLiteral("attention.fods")),
                                       tr("Spreadsheets (*.fods)"), {QStringLiteral("fods")});
    if (!path.isEmpty())
        write_to(path, tr("Exported %1."), [book = written_.book] { return write_fods(*book); });
}

void LevelsDialog::save_code() {
    const QString path = ask_save_path(this, tr("Save the lines"),
                                       QDir(documents_folder()).filePath(QStringLiteral("attention.py")),
                                       tr("Python (*.py)"), {QStringLiteral("py")});
    if (!path.isEmpty())
        write_to(path, tr("Saved %1."), [lines = lines()] { return lines.toStdString(); });
}

void LevelsDialog::copy_code() const { QGuiApplication::clipboard()->setText(lines()); }

}  // namespace headlight
