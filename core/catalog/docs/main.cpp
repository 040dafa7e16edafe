// Writes docs/catalogue.md to standard output.

#include "core/catalog/documentation.h"

#include <iostream>

int main() { std::cout << headlight::catalogue_markdown() << std::flush; }
