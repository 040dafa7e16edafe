#pragma once

#include <string_view>

namespace headlight {

/// Names a view by its word in files and on the command line. What the view is, view() in core/figure/view.h
/// says.
class ViewKind {
public:
    constexpr ViewKind() = default;  ///< none
    /// `word` has to outlive every copy: that of a declared view does.
    constexpr explicit ViewKind(std::string_view word) : word_(word) {}
    constexpr std::string_view word() const { return word_; }
    bool operator==(const ViewKind&) const = default;
    bool operator<(const ViewKind& other) const { return word_ < other.word_; }

    // Those that come with the program.
    static const ViewKind stages, heatmap, grid, steps, lines, compare, image, statistics, model_grid,
        scatter, text, query_key, axes, map;

private:
    std::string_view word_;
};

inline constexpr ViewKind ViewKind::stages{"stages"};
inline constexpr ViewKind ViewKind::heatmap{"heatmap"};
inline constexpr ViewKind ViewKind::grid{"grid"};
inline constexpr ViewKind ViewKind::steps{"steps"};
inline constexpr ViewKind ViewKind::lines{"lines"};
inline constexpr ViewKind ViewKind::compare{"compare"};
inline constexpr ViewKind ViewKind::image{"image"};
inline constexpr ViewKind ViewKind::statistics{"statistics"};
inline constexpr ViewKind ViewKind::model_grid{"model_grid"};
inline constexpr ViewKind ViewKind::scatter{"scatter"};
inline constexpr ViewKind ViewKind::text{"text"};
inline constexpr ViewKind ViewKind::query_key{"query_key"};
inline constexpr ViewKind ViewKind::axes{"axes"};
inline constexpr ViewKind ViewKind::map{"map"};

}  // namespace headlight
