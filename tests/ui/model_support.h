#pragma once

#include "core/workbench/model_edits.h"
#include "tests/ui/window_support.h"
#include "ui/models/candidate_model.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QTextDocumentFragment>
#include <QTimer>

#include <memory>

namespace headlight {

/// A window in which a model that comes with the program speaks, and what a person does in it.
class ModelWindow : public WindowUnderTest {
public:
    void generate(const char* model, const QString& source) {
        auto* models = find<QComboBox>("model");
        models->setCurrentIndex(models->findData(QLatin1String(model)));
        emit models->activated(models->currentIndex());
        QTRY_VERIFY(session().model && session().model->name == model);  // it is read meanwhile
        QTRY_VERIFY(has_generated());
        type_over(find("model_source"), source);
        QTRY_VERIFY(has_generated());
    }
    /// The newest run is of what the session asks for.
    bool has_generated() {
        const auto run = document().run();
        return session().model && run && run->transcript && !document().is_running() &&
               run->session->model == session().model;
    }

    const GenerationRequest& request() { return session().model->request; }
    const Transcript& transcript() { return *document().run()->transcript; }
    QString said() {
        return QString::fromStdString(
            text_of(transcript().model->model->task, transcript().words, Side::target));
    }
    QString plain(const char* label) {
        return QTextDocumentFragment::fromHtml(find<QLabel>(label)->text()).toPlainText();
    }

    QListView* candidate_list() { return find<QListView>("model_candidates"); }
    CandidateModel& candidates() { return *static_cast<CandidateModel*>(candidate_list()->model()); }
    /// The word of a candidate of the first step.
    std::string word_at(int row) {
        return transcript().steps.front().choices[static_cast<std::size_t>(row)].word;
    }
    /// From `row` on: one that the model can go on from.
    int row_of_a_letter(int row) {
        while (word_at(row).size() != 1)
            ++row;
        return row;
    }
    void click_candidate(int row) {
        QListView* list = candidate_list();
        const QModelIndex index = list->model()->index(row, 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
    }

    /// The weights of the selected site.
    std::vector<double> row(Index query, Index head = 0) {
        return row_of(*document().run()->trace, query, head);
    }
    std::vector<double> row_of(const Trace& trace, Index query, Index head = 0) {
        const Stage& weights = *trace.find("weights", session().view.selection.site);
        const Index keys = weights.shape.back();
        const auto all = trace.matrix(weights, head);
        return {all.begin() + query * keys, all.begin() + (query + 1) * keys};
    }

    FigureCanvas& show(ViewKind kind) {
        ViewState view = session().view;
        view.view = kind;
        document().looking().look_at(view);
        auto* canvas = window().views().view(kind)->findChild<FigureCanvas*>();
        canvas->figure();
        return *canvas;
    }
    void select(Index query, Index key, Index head = 0) {
        Selection selection = session().view.selection;
        selection.query = query;
        selection.key = key;
        selection.head = head;
        selection.stage = "weights";
        document().looking().select(selection);
    }
    QPoint cell(const FigureCanvas& canvas, Index row, Index column) {
        return canvas.cell_rect(0, row, column).center().toPoint();
    }
    /// What the menu of a cell offers, one of its entries triggered.
    QStringList choose_from_menu(FigureCanvas& canvas, QPoint at, const QString& beginning) {
        QStringList offered;
        QTimer::singleShot(0, &canvas, [&] {
            auto* menu = canvas.findChild<QMenu*>(QStringLiteral("over_cell"));
            QVERIFY(menu);
            for (QAction* action : menu->actions()) {
                const QString text = QString(action->text()).remove(QLatin1Char('&'));
                offered += text;
                if (!beginning.isEmpty() && text.startsWith(beginning)) {
                    action->trigger();
                    break;
                }
            }
            menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, canvas.mapToGlobal(at));
        QApplication::sendEvent(&canvas, &event);
        return offered;
    }
};

/// Tests that begin each with a window of their own, in which a model speaks.
class ModelTest : public QObject {
    Q_OBJECT
protected slots:
    void init() {
        fail_on_warnings();
        test_ = std::make_unique<ModelWindow>();
    }
    void cleanup() { test_.reset(); }

protected:
    std::unique_ptr<ModelWindow> test_;
};

}  // namespace headlight
