#include "ui/publish/lesson_page.h"

#include "core/io/files.h"
#include "core/io/session_run.h"
#include "ui/render/export.h"

#include <string>
#include <utility>
#include <vector>

namespace headlight {

void write_lesson_pictures(const Lesson& lesson, ExportFormat format, const std::filesystem::path& folder) {
    // All are drawn before one is written: a picture that cannot be leaves no half of a lesson.
    std::vector<std::pair<std::string, QByteArray>> pictures;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step)
        for (std::size_t state = 0; state < lesson.steps[step].states.size(); ++state) {
            Session shown = lesson.steps[step].states[state];
            shown.view.theme = FigureTheme::paper;
            std::string name = lesson.id;
            name.append("-").append(std::to_string(step + 1)).append("-").append(std::to_string(state + 1));
            name.append(".").append(format.extension());
            try {
                pictures.emplace_back(std::move(name), export_figure(session_figure(shown), format, {}));
            } catch (const Error& error) {
                throw error.within(lesson.id + " step " + std::to_string(step + 1));
            }
        }
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error({"write pictures", folder.string(), "a folder that can be made", error.message()});
    for (const auto& [name, bytes] : pictures)
        write_file_atomically(folder / name,
                              std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace headlight
