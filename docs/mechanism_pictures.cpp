// Draws the pictures of the pages in docs/catalogue, each mechanism on its own example: mechanism_pictures
// FOLDER. What is in the folder of a mechanism that is no more goes.
#include "core/io/mechanism_example.h"
#include "core/io/session_run.h"
#include "ui/render/export.h"

#include <QGuiApplication>

#include <cstdio>

using namespace headlight;

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    if (argc != 2) {
        std::fputs("usage: mechanism_pictures FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (!find_mechanism(file.path().stem().string()))
            std::filesystem::remove(file);
    for (const Mechanism& mechanism : mechanisms()) {
        const Session session = mechanism_example(mechanism);
        export_to_file(session_figure(session), folder / (mechanism.id + ".png"), *session.exported);
    }
}
