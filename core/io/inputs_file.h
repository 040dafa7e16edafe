#pragma once

#include "core/attention/inputs.h"
#include "core/io/inputs_check.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headlight {

/// Inputs from `.json` or `.safetensors` as docs/files.md has them, or a matrix from `.csv`. Throws Error
/// with the file, the place in it, what was expected and what was found.
/// `own` are the parameters that a formula declares.
Inputs read_inputs(const std::filesystem::path& path, const ParameterNames& own = {});

Inputs parse_inputs_json(std::string_view text, const ParameterNames& own = {});
/// The same of the file at `path`, which is told from the notes beside an array of NumPy.
Inputs parse_inputs_json_in(const std::filesystem::path& path, std::string_view text,
                            const ParameterNames& own = {});
Inputs parse_inputs_safetensors(std::string_view bytes, const ParameterNames& own = {});
/// Rows of numbers, with any separator of CsvRows, in UTF-8 or UTF-16. A first row of names is passed over. A
/// first column of names becomes the tokens, and so does one of numbers that is headed as names are ("token",
/// "word", nothing) or alone in quotes. Error says line and column.
Inputs parse_inputs_csv(std::string_view text);

std::string write_inputs_json(const Inputs& inputs);

}  // namespace headlight
