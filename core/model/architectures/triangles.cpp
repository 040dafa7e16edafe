#include "core/catalog/mechanism.h"
#include "core/model/architecture.h"
#include "core/model/tasks/task.h"
#include "core/model/triangle_layers.h"

namespace headlight {

namespace {

/// Triangle attention as in the paper, with heads and a gate (Jumper et al. 2021, algorithms 13 and 14).
AttentionSpec triangles_around(const char* node, Index heads) {
    AttentionSpec spec = build_spec(mechanism("triangle"), {});
    spec.algorithm.options["node"] = std::string(node);
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = heads, .gate = Gate::elementwise};
    return spec;
}

}  // namespace

Architecture declare_architecture_triangles() {
    return {
        .order = 1500,
        .meaning =
            "an encoder of pairs without places, in whose layers the third side of each triangle has a "
            "say, around one node and around the other; a learned query asks them for one label",
        .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
            c.kind = TransformerKind::encoder;
            c.places = PositionEncoding::none;
            c.pooling = Pooling::attention;
            for (std::size_t i = 0; i < c.encoder.size(); ++i)
                c.encoder[i] = {.mechanism = triangles_around(i % 2 == 0 ? "starting" : "ending", c.heads)};
        }),
        .layers = 4,
        .need = TaskNeed{[](const Task& task) { return task.points > 0; },
                         "its source is not made of pairs of points"},
        .read_task = [](TransformerConfiguration& c, const Task& task) { read_pairs_of(c, task.points); }};
}

}  // namespace headlight
