#pragma once

#include "core/figure/build_figure.h"
#include "tests/support/long_tests.h"
#include "tests/ui/patience.h"
#include "ui/jobs/latest_job.h"
#include "ui/models/document.h"
#include "ui/models/run_figure.h"
#include "ui/panels/theme.h"

#include <QRegularExpression>
#include <QTest>

namespace headlight {

/// A test that makes Qt warn has failed. Only the offscreen platform's word about what it cannot do is let
/// through.
inline void fail_on_warnings() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
}

/// Every `share`-th mechanism, from number `turn` on: as many turns meet all of them. With
/// HEADLIGHT_LONG_TESTS all in each turn.
inline std::vector<const Mechanism*> mechanisms_in_turn(int turn, int share) {
    if (test::is_long())
        share = 1;
    std::vector<const Mechanism*> chosen;
    int number = 0;
    for (const Mechanism& mechanism : mechanisms())
        if (number++ % share == turn % share)
            chosen.push_back(&mechanism);
    return chosen;
}

/// A session on a small sentence of hashed vectors: quick, without the word vectors, and the same everywhere.
inline Session small_session(const std::string& mechanism = "scaled_dot_product") {
    Session session = example_session();
    session.sequence.query_text = "the river bank flooded";
    session.sequence.key_text.clear();
    session.sequence.vectors.kind = VectorKind::hashed;
    session.sequence.vectors.dimension = 16;  // two numbers for each of eight heads
    session.mechanism = mechanism;
    session.values.clear();
    session.view = ViewState();
    session.view.selection.stage = "weights";
    return session;
}

/// `count` tokens, for matrices that do not fit on the screen cell by cell.
inline std::string long_text(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += (i ? " word" : "word") + std::to_string(i);
    return text;
}

/// While it lives, no run is quick: each is under way when the edit returns.
class SlowRuns {
public:
    SlowRuns() { LatestJob::set_longest_step(std::chrono::milliseconds(0)); }
    ~SlowRuns() { LatestJob::set_longest_step(std::chrono::seconds(5)); }
    SlowRuns(const SlowRuns&) = delete;
    SlowRuns& operator=(const SlowRuns&) = delete;
};

/// Gives the document a session and waits for its run.
inline void open_session(Document& document, const Session& session) {
    document.reset(session);
    QTRY_VERIFY(document.run() && !document.is_running());
    QVERIFY2(!document.error(), document.error() ? document.error()->what() : "");
}

inline ViewState with_view(const Document& document, ViewKind view) {
    ViewState settings = document.session().view;
    settings.view = view;
    return settings;
}

/// The picture as it would leave the window.
inline std::shared_ptr<const Figure> exported(const Document& document, ViewKind view) {
    return build_exported_figure(*document.run(), document.session(), view, FigureTheme::paper);
}

}  // namespace headlight
