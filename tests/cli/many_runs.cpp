// The command line for a test that asks a thousand times from Python, where starting the program would take
// longer than its answer: each line that comes in is {"folder": FOLDER, "arguments": [WORD, ...]}, and each
// that goes out {"status": EXIT STATUS, "error": TEXT}, once the command has ended. The line "settings" is
// answered with a list of specs in JSON, those of all_settings().

#include "app/cli/cli.h"
#include "tests/cli/run_here.h"
#include "tests/oracle/settings.h"

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

int main() {
    using nlohmann::json;
    for (std::string line; std::getline(std::cin, line);) {
        const json asked = json::parse(line);
        if (asked == "settings") {
            std::cout << json(headlight::all_settings()).dump() << std::endl;
            continue;
        }
        std::filesystem::current_path(asked.at("folder").get<std::string>());
        const headlight::test::Outcome outcome =
            headlight::test::run_here(asked.at("arguments").get<std::vector<std::string>>());
        std::cout << json{{"status", outcome.status}, {"error", outcome.error}}.dump() << std::endl;
    }
}
