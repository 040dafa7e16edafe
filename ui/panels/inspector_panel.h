#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/views/cell_report.h"

#include <QWidget>

#include <string>

class QCheckBox;
class QScrollArea;
class QToolButton;

namespace headlight {

class ArithmeticView;
class Document;
class HoverState;
class RowBars;
class WrappedLabel;
struct Run;

/// Every number on the way to the cell under the pointer, else to the selected one: both tokens, the row of
/// weights that it belongs to, the arithmetic and the context that they make. Bars come first: all of
/// a short text's; of a long one's what the arithmetic leaves, so that both are in sight. Of a map that is
/// too large to be kept a worker computes them, and what was shown stays until they are there.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);

    /// Says `why` and no number, until it is empty: a class guesses what stands here.
    void withhold(const QString& why);

    /// What is shown, as text to paste: the heading, the aligned arithmetic, the row, the context.
    QString text() const;

    QSize sizeHint() const override;
    /// Terms of the arithmetic are not broken in a narrower one.
    QSize minimumSizeHint() const override;

public slots:
    void copy_text() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    WrappedLabel* add_label(const QString& id, const QString& name);
    /// The bars of a row, and what is said of it.
    void build_row();
    void follow();
    void refresh();
    void restyle();
    /// What is asked about a place: copied into the job that finds out.
    struct Question {
        std::shared_ptr<const Run> run;
        std::shared_ptr<const Trace> trace;
        std::shared_ptr<const Plan> plan;  ///< null where nobody knows it
        CellPlace shown;                   ///< in the run's trace
        CellPlace place;                   ///< in `trace`: a compared mechanism has one of its own
        Selection selection;
        WeightLens lens;

        CellReport report() const { return report_cell(plan.get(), *trace, place, selection, lens); }
    };
    void show_report(const Question& question, CellReport report);
    void show_notice(const QString& notice);
    void show_row();
    void show_notes();
    /// As high as the bars, of a long row up to what the arithmetic leaves of the panel, and with the marked
    /// one in sight.
    void fit_bars();
    void choose_token(Index token);

    /// Marks what is searched for among the tokens.
    void show_found();

    Document& document_;
    HoverState& hover_;
    QString withheld_;  ///< why nothing is shown; empty where it is
    std::optional<CellReport> report_;
    std::shared_ptr<const Trace> trace_;  ///< that report_ is about
    std::string shown_site_;              ///< where the run has it
    QScrollArea* scroll_;
    QWidget* content_;
    WrappedLabel* heading_;
    WrappedLabel* place_;
    WrappedLabel* notes_;
    QString all_notes_;
    bool are_notes_whole_ = false;
    ArithmeticView* arithmetic_;
    QWidget* row_section_;
    WrappedLabel* row_heading_;
    RowBars* bars_;
    QScrollArea* bars_area_;
    WrappedLabel* row_summary_;
    WrappedLabel* context_;
    QCheckBox* sorted_;
    QToolButton* copy_;
    LatestJob reporting_;
};

}  // namespace headlight
