#include "core/figure/view_titles.h"

#include "core/figure/words.h"

#include <cctype>
#include <utility>

namespace headlight {
namespace {

/// A line that a person typed is what it is called: A is not a.
bool is_typed_name(std::string_view title) {
    const bool is_of_words = title.find_first_of(" (") != title.npos;
    return title.size() == 1 || (!is_of_words && title.find_first_of("_0123456789") != title.npos);
}

}  // namespace

std::string join(std::initializer_list<std::string> parts, const std::string& separator) {
    std::string text;
    for (const std::string& part : parts)
        if (!part.empty())
            text += (text.empty() ? "" : separator) + part;
    return text;
}

std::string in_a_sentence(std::string title) {
    if (!title.empty() && !is_typed_name(title))
        title.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(title.front())));
    return title;
}

std::string in_a_sentence(std::string title, std::string_view stage) {
    return any_declaration(stage) ? in_a_sentence(std::move(title)) : title;
}

std::string map_stage(const PanelMaker& maker) {
    const std::string stage = maker.stage();
    return maker.is_query_by_key(stage) || !maker.is_query_by_key("weights") ? stage : "weights";
}

Panel head_panel(const PanelMaker& maker, const std::string& stage, Index head) {
    Panel panel = maker.panel(stage, head);
    panel.title = join({panel.title, head_title(head, maker.heads_of(stage))}, ", ");
    panel.in_focus = true;
    return panel;
}

Panel head_panel(const PanelMaker& maker, const std::string& stage) {
    return head_panel(maker, stage, maker.head_in(stage));
}

}  // namespace headlight
