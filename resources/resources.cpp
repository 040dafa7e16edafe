#include "resources/resources.h"

#include <QtCore/qresource.h>

// Q_INIT_RESOURCE declares a function of the global namespace, so it cannot stand inside ours.
static void register_files() {
    Q_INIT_RESOURCE(headlight_files);
    Q_INIT_RESOURCE(headlight_fonts);
}

namespace headlight {

void initialise_resources() { register_files(); }

}  // namespace headlight
