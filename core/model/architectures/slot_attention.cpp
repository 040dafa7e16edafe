#include "core/catalog/mechanism.h"
#include "core/model/architecture.h"
#include "core/model/task_needs.h"

namespace headlight {

namespace {

constexpr Index usual_slots = 8;

}  // namespace

Architecture declare_architecture_slot_attention() {
    return {.order = 1200,
            .word = "slots",
            .meaning =
                "slot attention: an encoder without places, for whose tokens learned slots compete, round by "
                "round, before they say one label",
            .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
                c.kind = TransformerKind::encoder;
                c.places = PositionEncoding::none;
                c.pooling = Pooling::attention;
                c.seeds = usual_slots;
                c.pooling_mechanism = build_spec(mechanism("slot_attention"), {});
                c.pooling_mechanism->projections.type = ProjectionType::learned;
            }),
            .layers = 1,
            .need = no_order};
}

}  // namespace headlight
