#pragma once

#include <string>
#include <vector>

namespace headlight {

// What the completions of a shell offer, where no words<Value>() have it; from where each is declared.

std::vector<std::string> mechanism_ids();
std::vector<std::string> model_names();
std::vector<std::string> task_ids();
std::vector<std::string> lesson_ids();
std::vector<std::string> colour_map_names();
std::vector<std::string> width_names();
/// Scores and normalisers, which `train --attention` may take.
std::vector<std::string> attention_names();

}  // namespace headlight
