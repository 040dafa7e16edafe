// Prints docs/catalogue.md, or with the argument "components", "coverage" or "tasks" the page of that name;
// "pages FOLDER" writes a page for each mechanism, as FOLDER/ID.md.

#include "core/analysis/cost_growth.h"
#include "core/catalog/catalogue_documentation.h"
#include "core/catalog/component_documentation.h"
#include "core/catalog/coverage_documentation.h"
#include "core/catalog/mechanism_documentation.h"
#include "core/io/files.h"
#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"
#include "core/model/tasks/documentation.h"

#include <filesystem>
#include <iostream>
#include <map>
#include <string_view>

using namespace headlight;

namespace {

/// Nothing is written before every page is made; the page of a mechanism that is no more goes last.
void write_pages(const std::filesystem::path& folder) {
    std::map<std::filesystem::path, std::string> pages;
    for (const Mechanism& each : mechanisms())
        pages[folder / (each.id + ".md")] =
            mechanism_markdown(each, session_figure(mechanism_example(each)).description);
    std::filesystem::create_directories(folder);
    for (const auto& [path, text] : pages)
        write_file_atomically(path, text);
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".md" && !pages.contains(file.path()))
            std::filesystem::remove(file);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view page = argc > 1 ? argv[1] : "";
    if (page == "pages" && argc == 3) {
        write_pages(argv[2]);
    } else if (page == "components") {
        std::cout << components_markdown();
    } else if (page == "coverage") {
        std::cout << coverage_markdown();
    } else if (page == "tasks") {
        std::cout << tasks_markdown();
    } else if (page.empty()) {
        std::cout << catalogue_markdown(is_linear_in_tokens);
    } else {
        std::cerr << "usage: catalogue_text [components|coverage|tasks|pages FOLDER]\n";
        return 2;
    }
}
