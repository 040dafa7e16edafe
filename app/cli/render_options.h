#pragma once

#include "app/cli/arguments.h"
#include "core/figure/view_settings.h"
#include "ui/render/export.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// What `render` takes; what is said of views and file formats follows from their declarations.
class RenderOptions {
public:
    RenderOptions();
    RenderOptions(const RenderOptions&) = delete;  // the flags refer to the texts

    std::vector<Flag> flags;

private:
    std::string view_, sort_, theme_, width_, dpi_, vector_cells_, output_;
};

// What the arguments say before FILE is read. All throw UsageError.

/// `size` with what they say about it.
ExportOptions with_size(const Arguments& arguments, ExportOptions size);
/// Returns the output, in a format that the other options can have, and of those that are offered: all of
/// them unless that is given.
using IsOffered = bool (*)(const Exporter& exporter);
std::filesystem::path requested_output(const Arguments& arguments, IsOffered is_offered = nullptr);
/// Nothing where FILE says, or the subject is no view.
std::optional<ViewKind> asked_view(const Arguments& arguments);
/// The file of `--range as:FILE`.
std::optional<std::filesystem::path> range_file(const Arguments& arguments);
/// `view` with what can be chosen without knowing FILE.
ViewSettings with_options(const Arguments& arguments, ViewSettings view);

}  // namespace headlight
