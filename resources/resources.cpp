#include "resources/resources.h"

#include <QtCore/qresource.h>

#include <cstddef>

extern "C" const std::byte headlight_files[], headlight_fonts[];  // embedded by CMake

namespace headlight {

void initialise_resources() {
    [[maybe_unused]] static const bool is_registered = [] {
        for (const std::byte* each : {headlight_files, headlight_fonts})
            QResource::registerResource(reinterpret_cast<const uchar*>(each));
        return true;
    }();
}

}  // namespace headlight
