#pragma once

#include "core/attention/plan.h"

#include <string>
#include <vector>

namespace headlight {

/// The stages of a run in the making, for h heads, n queries and m keys.
class StageList {
public:
    /// Energies larger than `byte_limit` are left out; without maps, whatever has a number for each pair.
    StageList(const Plan& plan, std::size_t byte_limit, bool has_maps = true)
        : plan_(plan), byte_limit_(byte_limit), has_maps_(has_maps) {}

    void add(std::string name, std::vector<Axis> axes, Shape shape);
    void add_map(std::string name);     ///< [h, n, m]
    void add_column(std::string name);  ///< [h, n]
    /// [h, n, width] or [h, m, width]: a vector per head for every token of that axis.
    void add_vectors(std::string name, Axis token, Index width);
    /// [n, width] or [m, width]: a vector for every token of that axis, the same for all heads.
    void add_rows(std::string name, Axis token, Index width);

    bool has(std::string_view name) const;
    /// Returns the bytes of all stages together.
    double bytes() const;

    void replace(std::vector<Stage> stages) { stages_ = std::move(stages); }
    std::vector<Stage> take() { return std::move(stages_); }
    std::vector<std::string> take_omitted() { return std::move(omitted_); }

private:
    const Plan& plan_;
    std::size_t byte_limit_;
    bool has_maps_;
    std::vector<Stage> stages_;
    std::vector<std::string> omitted_;  ///< "energy: 1.1 GB, over the limit of 256 MB"
};

}  // namespace headlight
