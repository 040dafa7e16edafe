#include "core/attention/component.h"
#include "core/attention/composer.h"

namespace headlight {
namespace {

Expression define_root_distance(Composer& composer, const Expression&) {
    const double slope = composer.plan.position().number("slope");
    return -slope * root_of(absolute_of(composer.query_places() - composer.key_places()));
}

}  // namespace

PositionComponent declare_positions_root_distance() {
    PositionComponent component;
    component.meaning = "s − slope √|i − j|: the further a key, the less each step counts";
    component.options = {{.name = "slope",
                          .label = "Slope",
                          .standard = 0.5,
                          .minimum = 0,
                          .maximum = 10,
                          .help = "What the root of the distance is multiplied by."}};
    component.has_bias = true;
    component.define_bias = define_root_distance;
    return component;
}

}  // namespace headlight
