#include "ui/publish/lesson_page.h"

#include "core/io/session_run.h"
#include "ui/publish/closed_document.h"
#include "ui/render/painter.h"
#include "ui/render/subscripts.h"
#include "ui/render/typeface.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>

#include <algorithm>
#include <map>
#include <optional>

namespace headlight {
namespace {

constexpr int handout_resolution = 600;
constexpr double dots_a_point = handout_resolution / 72.0, dots_a_mm = handout_resolution / 25.4;
constexpr double margin_mm = 15, largest_type = 11, smallest_type = 6;  // points
/// The size of a picture, which stands beside its question: so wide, and at most so high; no lower than can
/// be read, unless the least type is too large for all of the text.
constexpr double drawn_width = 110 * dots_a_mm, highest_picture = 90 * dots_a_mm,
                 readable_picture = 45 * dots_a_mm, lowest_picture = 20 * dots_a_mm;
constexpr double between = 4 * dots_a_mm;  // two blocks, and a picture and its question

/// What stands together on a sheet: a text, on the right of its picture where it has one.
struct SheetBlock {
    QString html;
    std::optional<Figure> picture{};
};

/// One side of the sheet, in dots of its painter.
class SheetSide {
public:
    SheetSide(QPainter& painter, const QSizeF& size, const std::vector<SheetBlock>& blocks)
        : painter_(painter), size_(size), blocks_(blocks) {}

    /// As large as has room: pictures get lower, then type gets smaller.
    void paint() {
        bool fits = false;
        for (double type = largest_type; !fits && type >= smallest_type; type -= 0.5)
            for (double most = highest_picture; !fits && most >= readable_picture; most -= 3 * dots_a_mm)
                fits = lay_out(type, most);
        for (double most = readable_picture; !fits && most >= lowest_picture; most -= 3 * dots_a_mm)
            fits = lay_out(smallest_type, most);
        double y = 0;
        for (const SheetBlock& block : blocks_) {
            if (block.picture)
                paint_picture(*block.picture, QRectF(0, y, drawn_width, drawn_height(*block.picture)));
            ClosedDocument text;
            fill(text, block);
            painter_.save();
            painter_.translate(left_of_text(block), y);
            text.drawContents(&painter_);
            painter_.restore();
            y += height(block) + between;
        }
    }

private:
    bool lay_out(double type, double most_height) {
        type_ = type;
        most_height_ = most_height;
        double all = -between;
        for (const SheetBlock& block : blocks_)
            all += height(block) + between;
        return all <= size_.height();
    }
    double height(const SheetBlock& block) const {
        ClosedDocument text;
        fill(text, block);
        return std::max(text.size().height(), block.picture ? drawn_height(*block.picture) : 0);
    }
    double drawn_height(const Figure& figure) const {
        return std::min(most_height_, dots_a_point * natural_height(figure, drawn_width / dots_a_point));
    }
    double left_of_text(const SheetBlock& block) const { return block.picture ? drawn_width + between : 0; }
    void fill(QTextDocument& text, const SheetBlock& block) const {
        QFont font(figure_font(type_, Face::regular).family());
        font.setPointSizeF(type_);
        text.setDocumentMargin(0);
        text.documentLayout()->setPaintDevice(painter_.device());
        text.setDefaultFont(font);
        text.setHtml(block.html);
        text.setTextWidth(size_.width() - left_of_text(block));
    }
    void paint_picture(const Figure& figure, const QRectF& area) {
        const auto [unit, layout] = fit_layout(figure, area, dots_a_point);
        paint_figure(painter_, figure, layout, unit);
    }

    QPainter& painter_;
    QSizeF size_;
    const std::vector<SheetBlock>& blocks_;
    double type_ = largest_type, most_height_ = highest_picture;
};

QString line_to_write_on(const Question& question) {
    if (question.options.empty())
        return QStringLiteral("<p>Answer: ______________________</p>");
    QString html;
    for (const std::string& option : question.options)
        html += QStringLiteral("<p style=\"margin:0\">☐ %1</p>")
                    .arg(html_with_subscripts(QString::fromStdString(option)));
    return html;
}

/// The pictures beside the questions of a sheet; none where one would answer a question of the same sheet.
class SheetPictures {
public:
    explicit SheetPictures(const Lesson& lesson) : lesson_(lesson) {}

    std::optional<Figure> beside(std::size_t asking) {
        for (std::size_t step = 0; step < lesson_.steps.size(); ++step)
            if (lesson_.steps[step].question && gives_away(asking, step))
                return std::nullopt;
        Figure picture = drawn(asking, 0);
        picture.title.clear();  // the sheet has one
        return picture;
    }

private:
    const Figure& drawn(std::size_t step, std::size_t state) {
        auto known = figures_.find({step, state});
        if (known == figures_.end()) {
            Session shown = lesson_.steps[step].states[state];
            shown.view.theme = FigureTheme::paper;
            known = figures_.emplace(std::pair(step, state), session_figure(shown)).first;
            // The strip of all stages has the answer in small.
            std::erase_if(known->second.panels, [](const Panel& panel) { return panel.thumbnail; });
        }
        return known->second;
    }

    /// Whether the picture that step `shown` asks with says what step `asked` asks.
    bool gives_away(std::size_t shown, std::size_t asked) {
        const Session& picture = lesson_.steps[shown].states.front();
        const LessonStep& step = lesson_.steps[asked];
        const Session& answer = step.states.back();
        switch (step.question->kind) {
        case Question::Kind::word:  // the rows are labelled with what has been written
            return same_edits(picture, answer) &&
                   (!picture.view.decoding_step || picture.view.decoding_step >= answer.view.decoding_step);
        case Question::Kind::weight:
        case Question::Kind::cell:
            return same_edits(picture, answer) && draws_weights(drawn(shown, 0), answer.view.selection);
        case Question::Kind::choice:
            for (std::size_t reveal = 1; reveal < step.states.size(); ++reveal)
                if (same_edits(picture, step.states[reveal]) && draws_news(shown, asked, reveal))
                    return true;
            return false;
        }
        return false;
    }
    static bool draws_weights(const Figure& figure, const Selection& asked) {
        return std::ranges::any_of(figure.panels, [&](const Panel& panel) {
            return panel.stage == "weights" && panel.site == asked.site && panel.head == asked.head;
        });
    }
    /// Whether a reveal of step `asked` draws anything that its question was not asked with.
    bool draws_news(std::size_t shown, std::size_t asked, std::size_t reveal) {
        const auto& states = lesson_.steps[asked].states;
        const bool is_same_run = same_edits(states.front(), states[reveal]);
        return std::ranges::any_of(drawn(asked, reveal).panels, [&](const Panel& panel) {
            return is_drawn(panel, drawn(shown, 0)) && !(is_same_run && is_drawn(panel, drawn(asked, 0)));
        });
    }
    /// With as many of its rows.
    static bool is_drawn(const Panel& panel, const Figure& figure) {
        const auto last_row = [](const Panel& each) { return each.newest_row.value_or(each.rows - 1); };
        return std::ranges::any_of(figure.panels, [&](const Panel& each) {
            return each.stage == panel.stage && each.site == panel.site && each.head == panel.head &&
                   last_row(each) >= last_row(panel);
        });
    }

    const Lesson& lesson_;
    std::map<std::pair<std::size_t, std::size_t>, Figure> figures_;
};

}  // namespace

QByteArray lesson_handout(LessonRuns& runs) {
    const Lesson& lesson = runs.lesson();
    const QString title = QString::fromStdString(lesson.title).toHtmlEscaped();
    std::vector<SheetBlock> front{
        {QStringLiteral("<h2>%1</h2><p>Name: ______________________</p>").arg(title)}},
        back{{QStringLiteral("<h2>%1: answers</h2>").arg(title)}};
    const auto ask = [&](const Question& question, const std::string& answer, const std::string& because,
                         std::optional<Figure> picture = {}) {
        const QString words = QStringLiteral("<p><b>%1. %2</b></p>")
                                  .arg(front.size())
                                  .arg(html_with_subscripts(QString::fromStdString(question.ask)));
        front.push_back({words + line_to_write_on(question), std::move(picture)});
        back.push_back({words + QStringLiteral("<p><b>%1</b>. %2</p>")
                                    .arg(html_with_subscripts(QString::fromStdString(answer)),
                                         html_with_subscripts(QString::fromStdString(because)))});
    };
    SheetPictures pictures(lesson);
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        const LessonStep& asking = lesson.steps[step];
        if (!asking.question)
            continue;
        ask(*asking.question, runs.answer(step).told(), runs.because(step), pictures.beside(step));
    }
    for (const Question& question : lesson.quiz)
        ask(question, question.options.at(question.answer), question.because);

    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(handout_resolution);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(margin_mm, margin_mm, margin_mm, margin_mm), QPageLayout::Millimeter);
        writer.setTitle(QString::fromStdString(lesson.title));
        writer.setCreator(QStringLiteral("Headlight"));
        QPainter painter(&writer);
        const QSizeF side(writer.width(), writer.height());
        SheetSide(painter, side, front).paint();
        writer.newPage();
        SheetSide(painter, side, back).paint();
    }
    return buffer.data();
}

}  // namespace headlight
