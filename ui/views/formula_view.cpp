#include "ui/views/formula_view.h"

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/figure/formula.h"
#include "resources/resources.h"
#include "ui/views/formula_words.h"

#include <QEvent>
#include <QFile>
#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace headlight {
namespace {

/// One em of the typeset formulas, in the units of their width and height.
constexpr double formula_em = 20;
/// Formulas have small indices, and are read from afar.
constexpr double formula_scale = 1.2;
/// A formula that nearly fits shrinks to so much of its size before it is broken over lines.
constexpr double least_share = 0.9;
/// Several lines beside the stages are not to push the picture down: in so many ems of the interface's font
/// they have their size, and above that they shrink, to so much of it and no further.
constexpr double most_ems = 5.5, least_share_of_many_lines = 0.8;
constexpr int formula_padding = 4;
constexpr double line_gap = 10;  // between lines, in the formula's own units

std::string blend(const QColor& ink, const QColor& paper, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return QColor(mix(ink.red(), paper.red()), mix(ink.green(), paper.green()), mix(ink.blue(), paper.blue()))
        .name()
        .toStdString();
}

}  // namespace

/// What is known of a formula before it has colours; nothing where the mechanism has none.
struct TypesetFormula {
    QByteArray svg = {};
    QString words = {};
    std::vector<FormulaPiece> pieces = {};
    std::optional<AttentionSpec> spec = {};  ///< of the mechanism, for what its stages light
};

namespace {

std::shared_ptr<const TypesetFormula> read_formula(const std::string& mechanism) {
    initialise_resources();
    QFile file(QStringLiteral(":/headlight/formulas/%1.svg").arg(QString::fromStdString(mechanism)));
    const QByteArray svg = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    TypesetFormula formula{.words =
                               QString::fromStdString(formula_in_words(formula_source(svg.toStdString())))};
    if (QSvgRenderer renderer; !svg.isEmpty() && renderer.load(svg)) {
        formula.svg = svg;
        formula.pieces = formula_pieces(renderer);
    }
    if (const Mechanism* of = find_mechanism(mechanism))
        formula.spec = complete_spec(build_spec(*of, {}));
    return std::make_shared<const TypesetFormula>(std::move(formula));
}

/// Remembered: each view has it above its picture, and to find where it may be broken takes a millisecond.
std::shared_ptr<const TypesetFormula> typeset_formula(const std::string& mechanism) {
    constexpr std::size_t most_formulas = 64;
    static std::map<std::string, std::shared_ptr<const TypesetFormula>> known;
    if (const auto found = known.find(mechanism); found != known.end())
        return found->second;
    if (known.size() >= most_formulas)
        known.clear();
    return known[mechanism] = read_formula(mechanism);
}

}  // namespace

FormulaView::FormulaView(QWidget* parent)
    : QWidget(parent), formula_(std::make_shared<const TypesetFormula>()) {
    // Not fixed, which would hold the height at that of a single line.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Formula"));
}

void FormulaView::set_formula(const std::string& mechanism, const std::string& lit_stage) {
    if (mechanism == mechanism_ && lit_stage == lit_stage_)
        return;
    if (mechanism != mechanism_) {
        formula_ = typeset_formula(mechanism);
        setAccessibleDescription(formula_->words);
        updateGeometry();
    }
    mechanism_ = mechanism;
    lit_stage_ = lit_stage;
    is_lit_ = false;
    update();
}

void FormulaView::light() {
    const QColor text = palette().color(QPalette::WindowText), paper = palette().color(QPalette::Window);
    const std::string plain = formula_->svg.toStdString(),
                      lit = palette().color(QPalette::Highlight).name().toStdString();
    // What is not lit steps back, so that the lit term stands out in black and white too, as far as thin
    // strokes are still read. Where nothing is lit, nothing has to.
    constexpr double stepped_back = 0.25;
    const AttentionSpec* spec = formula_->spec ? &*formula_->spec : nullptr;
    std::string coloured = light_formula(plain, lit_stage_, lit, blend(text, paper, stepped_back), spec);
    if (coloured.find("fill=\"" + lit + '"') == std::string::npos)
        coloured = light_formula(plain, lit_stage_, lit, text.name().toStdString(), spec);
    renderer_.load(QByteArray::fromStdString(coloured));
    is_lit_ = true;
}

double FormulaView::natural_scale() const {
    return QFontInfo(font()).pixelSize() * formula_scale / formula_em;
}

FormulaView::Lines FormulaView::lines_for(double width) const {
    const double natural = natural_scale();
    Lines result{formula_lines(formula_->pieces, width / (natural * least_share)), natural, {}};
    double widest = 1, height = 0;
    for (const QRectF& line : result.lines) {
        widest = std::max(widest, line.width());
        height += line.height();
    }
    height += line_gap * static_cast<double>(std::max<std::size_t>(result.lines.size(), 1) - 1);
    const double most_height = most_ems * QFontInfo(font()).pixelSize();
    const double share = std::clamp(most_height / (height * natural), least_share_of_many_lines, 1.0);
    result.scale = std::min(natural * share, width / widest);
    result.size = QSizeF(widest, height) * result.scale;
    return result;
}

QSize FormulaView::sizeHint() const {
    const QSizeF size = formula_->pieces.empty() ? QSizeF(0, fontMetrics().height()) : lines_for(1e6).size;
    return size.toSize() + QSize(2 * formula_padding, 2 * formula_padding);
}

bool FormulaView::is_legible_in(int width) const {
    if (width <= 2 * formula_padding)
        return false;
    constexpr std::size_t most_lines = 2;
    const Lines broken = lines_for(width - 2 * formula_padding);
    return broken.lines.size() <= most_lines && broken.scale >= natural_scale() * least_share_of_many_lines;
}

double FormulaView::share_in(int width) const {
    return lines_for(std::max(width - 2 * formula_padding, 1)).scale / natural_scale();
}

QSize FormulaView::minimumSizeHint() const { return {160, fontMetrics().height() + 2 * formula_padding}; }

int FormulaView::heightForWidth(int width) const {
    const double height = lines_for(std::max(width - 2 * formula_padding, 1)).size.height();
    return std::max(static_cast<int>(std::ceil(height)) + 2 * formula_padding, minimumSizeHint().height());
}

void FormulaView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        is_lit_ = false;
        update();
    } else if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
    QWidget::changeEvent(event);
}

void FormulaView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (formula_->svg.isEmpty()) {
        const Mechanism* mechanism = find_mechanism(mechanism_);
        painter.drawText(rect(), Qt::AlignCenter,
                         QString::fromStdString(mechanism ? mechanism->name : mechanism_));
        return;
    }
    if (!is_lit_)
        light();
    const QRectF room =
        QRectF(rect()).adjusted(formula_padding, formula_padding, -formula_padding, -formula_padding);
    Lines formula = lines_for(room.width());
    if (formula.size.height() > room.height()) {
        formula.scale *= room.height() / formula.size.height();
        formula.size *= room.height() / formula.size.height();
    }
    QRectF block(QPointF(), formula.size);
    block.moveCenter(room.center());
    double top = block.top();
    const QSizeF whole = renderer_.defaultSize();
    for (const QRectF& line : formula.lines) {
        // The other lines are beside it. Nothing is above or below, where ink ends between two pixels.
        const QRectF source(line.left() - 1, -whole.height(), line.width() + 2, 3 * whole.height());
        painter.save();
        painter.translate(block.left(), top);
        painter.scale(formula.scale, formula.scale);
        painter.translate(-line.topLeft());
        painter.setClipRect(source);
        renderer_.render(&painter, QRectF(QPointF(), whole));
        painter.restore();
        top += (line.height() + line_gap) * formula.scale;
    }
}

}  // namespace headlight
