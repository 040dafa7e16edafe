// Writes docs/catalogue.md, or with the argument "components" docs/components.md, with "coverage"
// docs/coverage.md, with "tasks" docs/tasks.md, to standard output.

#include "core/catalog/component_documentation.h"
#include "core/catalog/coverage_documentation.h"
#include "core/catalog/documentation.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"
#include "core/model/tasks/documentation.h"

#include <iostream>
#include <string_view>

using namespace headlight;

int main(int argc, char** argv) {
    const std::string_view page = argc > 1 ? argv[1] : "";
    std::cout << (page == "components" ? components_markdown()
                  : page == "coverage" ? coverage_markdown()
                  : page == "tasks"    ? tasks_markdown()
                                       : catalogue_markdown([](const Mechanism& mechanism) {
                                          return session_figure(mechanism_example(mechanism)).description;
                                      }))
              << std::flush;
}
