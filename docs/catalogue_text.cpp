// Writes docs/catalogue.md, or with the argument "components" docs/components.md, to standard output.

#include "core/catalog/component_documentation.h"
#include "core/catalog/documentation.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"

#include <iostream>
#include <string_view>

using namespace headlight;

int main(int argc, char** argv) {
    const bool is_components = argc > 1 && std::string_view(argv[1]) == "components";
    std::cout << (is_components ? components_markdown() : catalogue_markdown([](const Mechanism& mechanism) {
        return session_figure(mechanism_example(mechanism)).description;
    })) << std::flush;
}
