#include "tests/ui/views_support.h"
#include "ui/models/document.h"
#include "ui/models/mechanism_model.h"
#include "ui/models/parameter_table_model.h"
#include "ui/models/recent_files.h"
#include "ui/models/window_settings.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace headlight::models_test {

namespace {

/// The tree as text, one line per row, children indented: what a person sees.
QString printed(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0) {
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        text += QString(qsizetype(2) * depth, QChar(' ')) + index.data().toString() + QChar('\n');
        text += printed(model, index, depth + 1);
    }
    return text;
}

Mechanism named(const std::string& id, const std::string& family) {
    Mechanism mechanism;
    mechanism.id = id;
    mechanism.name = "The " + id;
    mechanism.family = family;
    mechanism.papers = {{"Somebody et al.", 2015}};
    mechanism.also_known_as = {"alias of " + id};
    return mechanism;
}

}  // namespace

class ModelsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void mechanisms_stand_in_their_families_in_teaching_order() {
        const std::vector<Mechanism> list = {named("a", "Scores"), named("b", "Masks"), named("c", "Scores")};
        MechanismModel model{std::span(list)};
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(printed(model), QStringLiteral("Scores\n  The a\n  The c\nMasks\n  The b\n"));
        const QModelIndex c = model.index_of("c");
        QCOMPARE(model.mechanism_at(c)->id, std::string("c"));
        QCOMPARE(c.data(MechanismModel::IdRole).toString(), QStringLiteral("c"));
        QVERIFY(!model.mechanism_at(c.parent()));
        QVERIFY(!c.parent().flags().testFlag(Qt::ItemIsSelectable));
        QVERIFY(!model.index_of("nothing").isValid());
    }

    void every_mechanism_of_the_catalogue_is_in_the_tree() {
        MechanismModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (const Mechanism& mechanism : mechanisms())
            QCOMPARE(model.mechanism_at(model.index_of(mechanism.id)), &mechanism);
    }

    void a_parameter_is_a_table_whose_cells_are_undoable() {
        Document document(small_session("self_attention"));
        ParameterTableModel model(document);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set_parameter("W_q");
        const int width = static_cast<int>(document.session().sequence.vectors.dimension);
        QCOMPARE(model.rowCount(), width);
        QCOMPARE(model.columnCount(), width);
        const QModelIndex cell = model.index(2, 3);
        const QString before = cell.data(Qt::EditRole).toString();
        QVERIFY(model.setData(cell, QStringLiteral("0.25"), Qt::EditRole));
        QCOMPARE(document.run()->plan->parameter("W_q")(2, 3), 0.25);
        QCOMPARE(cell.data(Qt::EditRole).toString(), QStringLiteral("0.25"));
        QCOMPARE(document.history()->undoText(), QStringLiteral("Edit W_q[3, 4]"));
        document.history()->undo();
        QCOMPARE(cell.data(Qt::EditRole).toString(), before);
        QVERIFY(document.session().edited.empty());
    }

    void what_is_not_a_number_is_refused_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "cat", "nan", "inf", "1,5", "0.1.2"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void what_is_not_a_number_is_refused() {
        QFETCH(QString, text);
        Document document(small_session("self_attention"));
        ParameterTableModel model(document);
        model.set_parameter("W_q");
        QVERIFY(!model.setData(model.index(0, 1), text, Qt::EditRole));
        QCOMPARE(document.history()->count(), 0);
        QVERIFY2(model.problem().startsWith(QLatin1String("W_q[1, 2] needs a number")),
                 qPrintable(model.problem()));
        QVERIFY(model.problem().contains(text));
        QVERIFY(model.setData(model.index(0, 1), QStringLiteral("0.5"), Qt::EditRole));
        QCOMPARE(model.problem(), QString());
    }

    void a_number_as_the_table_shows_it_is_accepted() {
        Document document(small_session("self_attention"));
        ParameterTableModel model(document);
        model.set_parameter("W_q");
        QVERIFY(model.setData(model.index(0, 0), QStringLiteral("−0.5"), Qt::EditRole));
        QCOMPARE(document.run()->plan->parameter("W_q")(0, 0), -0.5);
    }

    void the_table_follows_the_shape() {
        Document document(small_session("self_attention"));
        ParameterTableModel model(document);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set_parameter("W_q");
        Session wider = document.session();
        wider.sequence.vectors.dimension = 12;
        document.edit({"Wider", wider});
        QCOMPARE(model.rowCount(), 12);
        model.set_parameter("no such");
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!model.setData(model.index(0, 0), 1, Qt::EditRole));
    }

    void recent_files_are_remembered_newest_first() {
        const QTemporaryDir folder;
        WindowSettings settings(folder.filePath(QStringLiteral("s.ini")));
        {
            RecentFiles recent(settings);
            for (int i = 0; i < 12; ++i)
                recent.add(QStringLiteral("/tmp/%1").arg(i));
            recent.add(QStringLiteral("/tmp/5"));
        }
        RecentFiles again(settings);
        QCOMPARE(again.files().size(), RecentFiles::longest);
        QCOMPARE(again.files().constFirst(), QStringLiteral("/tmp/5"));
        QCOMPARE(again.files().count(QStringLiteral("/tmp/5")), 1);
        again.remove(QStringLiteral("/tmp/5"));
        QCOMPARE(again.files().constFirst(), QStringLiteral("/tmp/11"));
    }
};

QTEST_MAIN(ModelsTest)

}  // namespace headlight::models_test

#include "models_test.moc"
