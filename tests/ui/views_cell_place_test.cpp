#include "tests/support/test_file.h"
#include "ui/views/cell_place.h"

#include <QTest>

namespace headlight::views_cell_place_test {

namespace {

/// 2 heads, 3 queries, 4 keys, width 5.
Trace make_trace() {
    Trace trace({{"", "tokens", {Axis::query, Axis::feature}, {3, 6}, 0},
                 {"", "value", {Axis::head, Axis::key, Axis::feature}, {2, 4, 5}, 0},
                 {"", "context", {Axis::head, Axis::query, Axis::feature}, {2, 3, 5}, 0},
                 {"", "query", {Axis::head, Axis::query, Axis::feature}, {2, 3, 5}, 0},
                 {"", "key", {Axis::head, Axis::key, Axis::feature}, {2, 4, 5}, 0},
                 {"", "scores", {Axis::head, Axis::query, Axis::key}, {2, 3, 4}, 0},
                 {"", "weights", {Axis::head, Axis::query, Axis::key}, {2, 3, 4}, 0},
                 {"", "output", {Axis::query, Axis::feature}, {3, 6}, 0}});
    trace.tokens.query = {"le", "chat", " "};
    trace.tokens.key = {"the", "cat", "sat", "down"};
    return trace;
}

QString written(const std::optional<CellPlace>& place) {
    if (!place)
        return QStringLiteral("none");
    const auto number = [](std::optional<Index> index) {
        return index ? QString::number(*index) : QStringLiteral("-");
    };
    return QStringLiteral("%1 head %2 (%3, %4)")
        .arg(QString::fromStdString(place->stage))
        .arg(place->head)
        .arg(number(place->row), number(place->column));
}

}  // namespace

class ViewsCellPlaceTest : public QObject {
    Q_OBJECT
private slots:
    void finds_the_selected_cell_data() {
        QTest::addColumn<QString>("stage");
        QTest::addColumn<int>("head");
        QTest::addColumn<int>("query");
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("feature");
        QTest::addColumn<QString>("place");
        QTest::newRow("weights") << "weights" << 1 << 2 << 3 << 0 << "weights head 1 (2, 3)";
        QTest::newRow("query feature") << "query" << 1 << 2 << 3 << 4 << "query head 1 (2, 4)";
        QTest::newRow("rows of the keys are keys") << "key" << 0 << 2 << 3 << 4 << "key head 0 (3, 4)";
        QTest::newRow("output has no head") << "output" << 1 << 2 << 3 << 5 << "output head 0 (2, 5)";
        QTest::newRow("clamped") << "weights" << 9 << 9 << 9 << 0 << "weights head 1 (2, 3)";
        QTest::newRow("unknown stage") << "energy" << 0 << 0 << 0 << 0 << "none";
    }
    void finds_the_selected_cell() {
        QFETCH(QString, stage);
        QFETCH(int, head);
        QFETCH(int, query);
        QFETCH(int, key);
        QFETCH(int, feature);
        const Selection selection{"", stage.toStdString(), head, query, key, feature};
        const QString found = written(selected_place(make_trace(), selection));
        QTEST(found, "place");
    }

    void selecting_a_place_and_reading_it_back_agree() {
        const Trace trace = make_trace();
        for (const Stage& stage : trace.stages())
            for (Index row = 0; row < stage.shape[stage.shape.size() - 2]; ++row) {
                const CellPlace place{"", stage.name, stage.has_axis(Axis::head) ? 1 : 0, row, 1};
                QCOMPARE(written(selected_place(trace, select_place(trace, Selection(), place))),
                         written(place));
            }
    }

    void label_leaves_the_other_index_alone() {
        const Selection before{"", "weights", 0, 1, 2, 3};
        const Selection after = select_place(make_trace(), before, {"", "scores", 1, 0, {}});
        QCOMPARE(after, (Selection{"", "scores", 1, 0, 2, 3}));
    }

    void links_places_across_stages_data() {
        QTest::addColumn<QString>("stage");
        QTest::addColumn<QString>("place");
        QTest::newRow("same meaning") << "scores"
                                      << "scores head 1 (1, 3)";
        QTest::newRow("its query") << "query"
                                   << "query head 1 (1, -)";
        QTest::newRow("its key") << "key"
                                 << "key head 1 (3, -)";
        QTest::newRow("its output row") << "output"
                                        << "output head 1 (1, -)";
    }
    void links_places_across_stages() {
        QFETCH(QString, stage);
        const CellPlace hovered{"", "weights", 0, 1, 3};
        const QString linked = written(linked_place(make_trace(), hovered, stage.toStdString(), 1));
        QTEST(linked, "place");
    }

    void links_features_that_mean_the_same_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<bool>("as_keys");
        QTest::addColumn<QString>("place");
        QTest::newRow("one stage") << "query"
                                   << "query" << false << "query head 0 (1, 3)";
        QTest::newRow("multiplied feature by feature") << "query"
                                                       << "key" << false << "key head 0 (-, 3)";
        QTest::newRow("an output is another space") << "query"
                                                    << "output" << false << "output head 0 (1, -)";
        QTest::newRow("added up from the values") << "context"
                                                  << "value" << false << "value head 0 (-, 3)";
        QTest::newRow("tokens as values") << "context"
                                          << "tokens" << true << "tokens head 0 (-, 3)";
        QTest::newRow("tokens as queries") << "context"
                                           << "tokens" << false << "tokens head 0 (1, -)";
    }
    void links_features_that_mean_the_same() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(bool, as_keys);
        const CellPlace hovered{"", from.toStdString(), 0, 1, 3};
        const QString linked = written(linked_place(make_trace(), hovered, to.toStdString(), 0, as_keys));
        QTEST(linked, "place");
    }

    void tokens_that_stand_for_keys_are_keys() {
        const Trace trace = make_trace();
        const CellPlace token{"", "tokens", 0, 2, {}, true};
        QCOMPARE(written(linked_place(trace, token, "scores", 0)), QStringLiteral("scores head 0 (-, 2)"));
        QCOMPARE(select_place(trace, Selection{"", "weights", 0, 1, 1, 0}, token),
                 (Selection{"", "tokens", 0, 1, 2, 0}));
        const CellPlace score{"", "scores", 0, 1, 2};
        QCOMPARE(written(linked_place(trace, score, "tokens", 0, true)),
                 QStringLiteral("tokens head 0 (2, -)"));
        QCOMPARE(written(linked_place(trace, score, "tokens", 0, false)),
                 QStringLiteral("tokens head 0 (1, -)"));
    }

    void names_rows_and_columns() {
        const TokenLabels tokens = make_trace().tokens;
        QCOMPARE(index_label(tokens, Axis::query, 1), std::string("chat"));
        QCOMPARE(index_label(tokens, Axis::query, 2), std::string("␣"));
        QCOMPARE(index_label(tokens, Axis::key, 3), std::string("down"));
        QCOMPARE(index_label(tokens, Axis::feature, 3), std::string("4"));
        QCOMPARE(index_label(TokenLabels(), Axis::query, 3), std::string("4"));
    }
};

QTEST_APPLESS_MAIN(ViewsCellPlaceTest)

}  // namespace headlight::views_cell_place_test

#include "views_cell_place_test.moc"
