// The session inside a PNG, SVG or PDF: a reader of its own target, because it is Qt's neighbour.

#include "tests/fuzz/reader.h"
#include "tests/fuzz/session_reader.h"
#include "ui/render/export.h"

#include <QGuiApplication>

namespace headlight::test {
namespace {

bool read_embedded_session(std::string_view bytes) {
    const auto found =
        embedded_session(QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())));
    return found && read_session(*found);
}

/// A small figure that carries a session, in every format that does.
std::vector<std::string> figures() {
    Inputs inputs;
    inputs.query = Tensor({{1, 0.5}, {-2, 3}});
    const Trace trace = record(std::make_shared<const Plan>(plan({}, inputs)));
    ViewSettings view;
    view.view = ViewKind::heatmap;
    Figure figure = build_figure(trace, view);
    Session session = example_session();
    session.sequence.query_text = "ü b";
    figure.session = write_session(session);
    ExportOptions small;
    small.dpi = smallest_dpi;
    std::vector<std::string> files;
    for (const ExportFormat format : {ExportFormat::png, ExportFormat::svg, ExportFormat::pdf})
        files.push_back(export_figure(figure, format, small).toStdString());
    return files;
}

}  // namespace

const Reader& reader() {
    static const Reader reader = [] {
        static int count = 1;
        static char name[] = "fuzz_embedded_session";
        static char* names[] = {name, nullptr};
        qputenv("QT_QPA_PLATFORM", "offscreen");
        const QGuiApplication application(count, names);
        return Reader{"embedded_session", read_embedded_session, figures()};
    }();
    return reader;
}

}  // namespace headlight::test
