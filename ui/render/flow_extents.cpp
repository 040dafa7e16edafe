#include "ui/render/flow_extents.h"

#include "ui/render/typeface.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr double measured_size = 100;  // at which rounding type to whole units does not show
constexpr double longest_word = 18;    // ems: what is longer is cut, as labels are
constexpr double whole_units = 1.01;   // what letters in another size may be wider

}  // namespace

FlowExtents::FlowExtents(const Flow& flow, const QString& family) {
    const TextMeasure bold(measured_size, Face::bold, family), plain(measured_size, Face::regular, family);
    for (const Flow::Node& node : flow.nodes) {
        QString title = QString::fromStdString(node.title);
        if (node.kind == Flow::Node::Kind::word)
            title = bold.elided(title, longest_word * measured_size);
        // States and tokens without room have names and write none.
        const bool is_written = node.is_named && node.kind != Flow::Node::Kind::mark;
        title_widths_.push_back(is_written ? whole_units * bold.width(title) / measured_size : 0);
        shape_widths_.push_back(whole_units * plain.width(QString::fromStdString(node.shape)) /
                                measured_size);
        titles_.push_back(std::move(title));
    }
}

double flow_shape(const Flow& flow) {
    constexpr double letter = 0.55, around = 3, line = 1.45;  // ems
    std::vector<double> widths(flow.gaps.size(), 0);
    const auto letters = [](const std::string& text) {  // of UTF-8, about
        return static_cast<double>(std::ranges::count_if(
            text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    };
    for (const Flow::Node& node : flow.nodes) {
        double& width = widths[static_cast<std::size_t>(node.column)];
        if (node.kind == Flow::Node::Kind::mark || node.kind == Flow::Node::Kind::gap)
            width = std::max(width, 1.0);
        else
            width = std::max(width, letter * std::max(letters(node.title), letters(node.shape)) +
                                        (node.kind == Flow::Node::Kind::word ? 0.5 : around));
    }
    double sum = 0;
    for (std::size_t column = 0; column < widths.size(); ++column)
        sum += widths[column] + (column > 0 ? line * flow.gaps[column] : 0);
    return sum / std::max(1.0, line * flow.lines);
}

}  // namespace headlight
