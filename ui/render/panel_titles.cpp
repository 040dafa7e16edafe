// How the titles of panels are written in the room that a grid gives them.

#include "ui/render/panel_grid.h"
#include "ui/render/panel_shape.h"
#include "ui/render/typeface.h"

#include <algorithm>

namespace headlight {

namespace {

double widest_word(const std::string& text, const TextMeasure& measure) {
    double width = 0;
    for (const QString& word : QString::fromStdString(text).split(u' '))
        width = std::max(width, measure.width(word));
    return width;
}

double widest_of(const QStringList& lines, const TextMeasure& measure) {
    double width = 0;
    for (const QString& line : lines)
        width = std::max(width, measure.width(line));
    return width;
}

}  // namespace

/// How far a title may reach into the gap on its right: the next one begins behind it. That of a number among
/// others reaches further before it is on two lines beside others on one.
double PanelGrid::title_spare(std::size_t number) const {
    constexpr double apart = 0.4;  // of two titles, in their size
    const std::size_t next = number + 1;
    const double gap = scaled(style_.gap);
    const bool is_number = is_short_and_numbered(items_[number].panel->title);
    // Over the bar, which begins where the matrix begins, below its title and its labels.
    if (items_.size() == 1 && shared_scale_ && has_labels(*items_[number].panel))
        return bar_room();
    if (next >= items_.size() || static_cast<Index>(next) % columns_ == 0)
        return is_number && shared_scale_ ? 0.5 * gap : 0;  // left of the bar
    if (items_[next].operation != 0)
        return 0;
    return is_number ? std::max(0.5 * gap, gap - apart * type(style_.panel_title)) : 0.5 * gap;
}

/// How far left of the matrix its title begins: above its labels, behind a letter, where else it would be
/// cut.
double PanelGrid::left_of_title(const Item& item, std::size_t number) const {
    const auto place = static_cast<Index>(number);
    return titles_.begin_above_labels
               ? sides(item, place / columns_, place % columns_).left - letter_room(item)
               : 0;
}

/// What lines that are written in other units need beyond the room over the matrix. What rounded type adds to
/// them may reach into the gap: titles that are apart in one format would else take from the cells in
/// another.
double PanelGrid::rest_of_title(std::size_t number, double room) const {
    constexpr double unseen = 0.25;  // in the size of the title, less than two titles are apart
    const DecidedGrid::Titles& lines = written_[number];
    const TextMeasure title(type(style_.panel_title), Face::bold, style_.family),
        subtitle(type(style_.subtitle), Face::regular, style_.family);
    const double widest = std::max(widest_of(lines.title, title), widest_of(lines.subtitle, subtitle));
    return std::max(scaled(lines.rest), widest - room - unseen * type(style_.panel_title));
}

void PanelGrid::plan_titles(std::size_t number) {
    Item& item = items_[number];
    const double width = cells_height(item) * item.shape;
    const double room = width + title_spare(number) + left_of_title(item, number);
    if (!written_.empty()) {
        item.title_rest = rest_of_title(number, room);
        item.title_lines = written_[number].title.size();
        item.subtitle_lines = static_cast<int>(written_[number].subtitle.size());
        return;
    }
    const double size = type(style_.panel_title);
    const TextMeasure bold(size, Face::bold, style_.family),
        regular(type(style_.subtitle), Face::regular, style_.family);
    const double whole = bold.width(QString::fromStdString(item.panel->title)),
                 subtitle = regular.width(QString::fromStdString(item.panel->subtitle));
    const double beside = whole + subtitle_gap * size + subtitle;
    constexpr double short_enough = 8;  // beside a narrow matrix, in sizes of the title
    const bool may_be_beside = is_dense_ && subtitle > 0 && !item.panel->title.empty() &&
                               beside <= std::max(width, short_enough * size);
    const double title = may_be_beside ? beside : std::max(whole, subtitle);
    // However narrow, a word is not cut, nor a title that a person reads at a glance broken for little.
    constexpr double little = 1.3;
    double least = titles_.keeps_words ? widest_word(item.panel->title, bold) : 0;
    if (figure_.is_composed && whole < little * width)
        least = std::max(least, whole);
    item.title_rest = std::max(0.0, std::max(least, std::min(title, titles_.most_width)) - room);
    const auto place = static_cast<Index>(number);
    if (item.title_rest > 0 && place % columns_ + 1 < columns_ &&
        exists(place / columns_, place % columns_ + 1)) {
        constexpr double gap = 0.6;  // or two titles would be read as one
        item.title_rest += gap * size;
    }
    // Over the row sums, too.
    const double across = room + std::max(item.title_rest, room_of_row_sums(item));
    item.title_lines = title_lines(*item.panel, across, style_, unit_).size();
    item.subtitle_beside = may_be_beside && beside <= room + item.title_rest + 0.01 * unit_;
    item.subtitle_lines = item.subtitle_beside ? 0 : lines_of_subtitle(*item.panel, across, style_, unit_);
}

/// As they are drawn over the matrix and what hangs over on its right.
DecidedGrid::Titles PanelGrid::lines_of_titles(std::size_t number) const {
    if (!written_.empty())
        return written_[number];
    const Item& here = items_[number];
    const auto place = static_cast<Index>(number);
    const double width = left_of_title(here, number) + cells_height(here) * here.shape +
                         sides(here, place / columns_, place % columns_).right + title_spare(number);
    return {title_lines(*here.panel, width, style_, unit_),
            subtitle_lines(*here.panel, width, here.subtitle_lines, style_, unit_), here.title_rest / unit_};
}

DecidedGrid PanelGrid::decided() const {
    DecidedGrid decided{titles_.begin_above_labels, {}, {}};
    for (std::size_t number = 0; number < items_.size(); ++number) {
        decided.titles.push_back(lines_of_titles(number));
        decided.flows.push_back(form_of_flow(items_[number]));
    }
    return decided;
}

}  // namespace headlight
