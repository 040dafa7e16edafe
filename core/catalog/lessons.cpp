#include "core/catalog/lessons.h"

namespace headlight {

std::vector<const Mechanism*> lessons() {
    std::vector<const Mechanism*> found;
    for (const Mechanism& each : mechanisms())
        if (each.order <= last_lesson && each.order % 100 == 0)
            found.push_back(&each);
    return found;
}

}  // namespace headlight
