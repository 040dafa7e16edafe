#include "core/model/architecture.h"

namespace headlight {

Architecture declare_architecture_two_stream() {
    return {
        .order = 900,
        .meaning =
            "an XLNet: a decoder alone that learns words in orders that are drawn, and guesses each from a "
            "second stream that knows its place and not the word",
        .apply = Apply<TransformerConfiguration>([](TransformerConfiguration& c) {
            c.kind = TransformerKind::decoder;
            c.places = PositionEncoding::sinusoidal;
            c.two_streams = true;
        })};
}

}  // namespace headlight
