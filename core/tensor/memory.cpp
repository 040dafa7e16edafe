#include "core/tensor/memory.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <limits>

#include <sys/resource.h>
#include <unistd.h>

namespace headlight {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t physical_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_size > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size)
               : unlimited;
}

/// Returns the memory limit of a container; the file says "max" where there is none.
std::uint64_t control_group_memory() {
    std::ifstream file("/sys/fs/cgroup/memory.max");
    std::uint64_t bytes = 0;
    return file >> bytes ? bytes : unlimited;
}

std::uint64_t address_space() {
    rlimit limit{};
    const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return is_limited ? static_cast<std::uint64_t>(limit.rlim_cur) : unlimited;
}

std::atomic<std::uint64_t> chosen_limit = 0;  // 0: none was chosen

bool same_letters(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, lower, lower);
}

struct Unit {
    std::string_view name;
    double bytes;
};
constexpr std::array units{
    Unit{"KB", 1e3},     Unit{"MB", 1e6},     Unit{"GB", 1e9},     Unit{"TB", 1e12},
    Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20}, Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40},
};

}  // namespace

std::uint64_t machine_memory() {
    static const std::uint64_t bytes = std::min({physical_memory(), control_group_memory(), address_space()});
    return bytes;
}

std::uint64_t memory_limit() {
    const std::uint64_t chosen = chosen_limit;
    return chosen > 0 ? chosen : machine_memory() / 2;
}

MemoryLimit::MemoryLimit(std::uint64_t bytes) : before_(chosen_limit.exchange(bytes)) {}
MemoryLimit::~MemoryLimit() { chosen_limit = before_; }

void require_memory(const std::string& what, const std::string& where, double bytes,
                    const std::string& detail) {
    const auto limit = static_cast<double>(memory_limit());
    if (!(bytes <= limit))
        throw Error({what, where,
                     "at most " + memory_text(limit) + " of memory, " +
                         (chosen_limit > 0 ? "as --memory says" : "half of what there is"),
                     memory_text(bytes) + detail});
}

std::string memory_text(double bytes) {
    constexpr std::array names{"KB", "MB", "GB", "TB"};
    if (bytes < 1000)
        return std::to_string(static_cast<int>(bytes)) + (bytes == 1 ? " byte" : " bytes");
    std::size_t unit = 0;
    for (bytes /= 1000; bytes >= 999.5 && unit + 1 < names.size(); ++unit)
        bytes /= 1000;
    char text[64];
    std::snprintf(text, sizeof text,
                  bytes < 99.95 ? "%.1f %s"
                  : bytes < 1e6 ? "%.0f %s"
                                : "%.2g %s",
                  bytes, names[unit]);
    return text;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    const auto unit = std::ranges::find_if(units, [&](Unit each) { return same_letters(each.name, name); });
    if (error != std::errc() || unit == units.end())
        return std::nullopt;
    const double bytes = number * unit->bytes;
    return bytes >= 1 && bytes < 0x1p63 ? std::optional(static_cast<std::uint64_t>(bytes)) : std::nullopt;
}

}  // namespace headlight
