// Writes docs/catalogue.md, or with the argument "components" docs/components.md, to standard output.

#include "core/catalog/component_documentation.h"
#include "core/catalog/documentation.h"

#include <iostream>
#include <string_view>

int main(int argc, char** argv) {
    const bool is_components = argc > 1 && std::string_view(argv[1]) == "components";
    std::cout << (is_components ? headlight::components_markdown() : headlight::catalogue_markdown())
              << std::flush;
}
