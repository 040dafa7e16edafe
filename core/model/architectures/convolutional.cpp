#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_convolutional() {
    return {
        .order = 1800,
        .meaning =
            "gated convolutions in place of self attention: each layer of the decoder looks at the source",
        .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
            c.kind = TransformerKind::encoder_decoder;
            c.mixer = Mixer::convolution;
            c.feed_forward = 0;
        })};
}

}  // namespace headlight
