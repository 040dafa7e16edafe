#pragma once

#include "core/figure/view_settings.h"
#include "core/graph/program.h"
#include "core/program/own_formula.h"
#include "core/program/workbook.h"
#include "ui/jobs/job_queue.h"
#include "ui/jobs/latest_job.h"

#include <QDialog>

#include <functional>
#include <memory>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QTableView;
class QTextBrowser;

namespace headlight {

class Document;
class FigureCanvas;
class WorkbookModel;
struct Run;

/// Among the levels that there are of the run: after the last one the first, which also follows on none.
/// Before the first run all are there.
Level next_level(const std::optional<Level>& level, const Run* run);

/// Seven levels of the run in view, each nearer: black box, which is its map, parts, tensors, arithmetic,
/// formula, spreadsheet, code. Those that are not there of a run have no tab (levels_of). Which one is shown
/// is ViewState::level; while there is none, the dialog is closed.
class LevelsDialog : public QDialog {
    Q_OBJECT
public:
    explicit LevelsDialog(Document& document, QWidget* parent = nullptr);

public slots:
    void reject() override;

signals:
    void notice(const QString& text);
    /// A file could not be written.
    void problem(const headlight::Error& error);
    /// The mechanism is to become one's own, as this formula.
    void mine_requested(const headlight::OwnFormula& formula);

private:
    /// What is written of a run off the UI thread.
    struct Written {
        std::shared_ptr<const Workbook> book;
        QString why_no_book;
        QString numpy, torch;
        QString formula;
        std::shared_ptr<const OwnFormula> own;  ///< of a mechanism
        QString why_no_formula;
    };

    static QPlainTextEdit* build_lines(const QString& id, const QString& name);
    QWidget* build_formula();
    QWidget* build_spreadsheet();
    QWidget* build_code();
    void look_at(Level level);
    void follow();
    void follow_theme();
    void refresh();
    /// A tab for each level that there is, and for the one that is shown.
    void offer(const Run* run, Level shown);
    /// Off the UI thread.
    static Written written(const Run& run, const ViewState& view);
    void write();
    void show_written(Written written);
    void show_problem(const QString& text);
    void show_code();
    void show_sheet();
    /// Shows the formula of the cell that is selected.
    void show_formula();
    void follow_link(const QString& address);
    /// Off the UI thread; then says `done` of the file's name.
    void write_to(const QString& path, const QString& done, std::function<std::string()> content);
    void export_spreadsheet();
    void save_code();
    void copy_code() const;
    const QString& lines() const;  ///< in the library that is chosen

    Document& document_;
    QTabBar* tabs_;
    QStackedWidget* pages_;
    QTextBrowser* text_;
    FigureCanvas* map_ = nullptr;  ///< in the black box
    QLabel* problem_;
    QComboBox *sheets_ = nullptr, *library_ = nullptr;
    QTableView* cells_ = nullptr;
    QLineEdit* formula_ = nullptr;
    QPlainTextEdit *code_ = nullptr, *formula_lines_ = nullptr;
    QPushButton* mine_ = nullptr;
    WorkbookModel* model_ = nullptr;
    std::optional<FigureTheme> theme_;  ///< that its type is of
    LatestJob writing_;
    JobQueue saving_;
    Written written_;
    std::shared_ptr<const void> written_of_;  ///< the run that `written_` is of
    std::string written_at_;                  ///< and the site, where it is a model's
};

}  // namespace headlight
