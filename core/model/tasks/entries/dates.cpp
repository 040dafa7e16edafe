#include "core/model/tasks/alphabet.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace headlight {
namespace {

constexpr std::array<std::string_view, 12> months{"January",   "February", "March",    "April",
                                                  "May",       "June",     "July",     "August",
                                                  "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> weekdays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};

/// Each field of a format and what it stands for. Digits alone are day/month/year everywhere: "03/05/1979" is
/// the third of May.
///   %d 3   %D 03   %o 3rd   %m 5   %M 05   %b May (of September: Sep)   %B May, September   %Y 1979
///   %a Thu   %A Thursday
/// A format that ends in "~" is written in lower case.
constexpr std::array<std::string_view, 34> formats{
    "%d %B %Y",        "%d %b %Y",           "%D %b %Y",      "%o %B %Y",     "%o of %B %Y",
    "the %o of %B %Y", "the %o of %B, %Y",   "%o of %b %Y",   "%B %d, %Y",    "%B %o, %Y",
    "%b %d, %Y",       "%b %o %Y",           "%B the %o, %Y", "%A %d %B %Y",  "%A, %d %B %Y",
    "%A, %B %d, %Y",   "%A the %o of %B %Y", "%a %d %b %Y",   "%a, %D %b %Y", "%d-%b-%Y",
    "%D/%M/%Y",        "%d/%m/%Y",           "%D.%M.%Y",      "%d.%m.%Y",     "%Y, %B %d",
    "%Y %b %D",        "%Y/%M/%D",           "%d %B %Y~",     "%o of %B %Y~", "%B %d, %Y~",
    "%A %d %B %Y~",    "%a %d %b %Y~",       "%Y-%M-%D",      "%d %B, %Y"};

std::string two_digits(unsigned number) {
    std::string digits = std::to_string(number);
    return digits.size() < 2 ? digits.insert(0, 1, '0') : digits;
}

std::string ordinal(unsigned day) {
    const bool teen = day >= 11 && day <= 13;
    const char* ending = day % 10 == 1 ? "st" : day % 10 == 2 ? "nd" : day % 10 == 3 ? "rd" : "th";
    return std::to_string(day) + (teen ? "th" : ending);
}

std::string field(char letter, std::chrono::year_month_day date) {
    const auto day = static_cast<unsigned>(date.day());
    const auto month = static_cast<unsigned>(date.month());
    const std::string_view month_name = months[month - 1];
    const std::string_view weekday = weekdays[std::chrono::weekday(date).c_encoding()];
    switch (letter) {
    case 'd':
        return std::to_string(day);
    case 'D':
        return two_digits(day);
    case 'o':
        return ordinal(day);
    case 'm':
        return std::to_string(month);
    case 'M':
        return two_digits(month);
    case 'b':
        return std::string(month_name.substr(0, 3));
    case 'B':
        return std::string(month_name);
    case 'a':
        return std::string(weekday.substr(0, 3));
    case 'A':
        return std::string(weekday);
    default:
        return std::to_string(static_cast<int>(date.year()));
    }
}

std::string written(std::chrono::year_month_day date, std::string_view format) {
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] == '%')
            text += field(format[++i], date);
        else if (format[i] != '~')
            text += format[i];
    }
    if (format.ends_with('~'))
        std::ranges::transform(text, text.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
    return text;
}

Example make_dates(Random& random) {
    using namespace std::chrono;
    static constexpr sys_days first = sys_days(year(1900) / January / 1);
    static constexpr sys_days last = sys_days(year(2099) / December / 31);
    const year_month_day date = first + days(random.between(0, (last - first).count()));
    Example example;
    example.source = characters_of(written(date, random.one_of(formats)));
    example.target = characters_of(field('Y', date) + "-" + field('M', date) + "-" + field('D', date));
    return example;
}

}  // namespace

Task declare_task_dates() {
    Task task;
    task.id = "dates";
    task.name = "Dates in many formats";
    task.order = 500;
    task.meaning =
        "Write a date of the years 1900 to 2099 as year-month-day, whichever of 34 formats it comes in: "
        "\"3rd of "
        "May 1979\", \"May 3, 1979\", \"Thursday 3 May 1979\", \"03/05/1979\" (digits alone are day, month, "
        "year). The month's name has to be read, the day found before or behind it, the day of the week "
        "ignored. A held-out date is never seen in training, in any format.";
    task.what_to_see =
        "The four steps of the year run along the year's digits, wherever they stand; the steps of the month "
        "look at the letters or digits that tell it from the others; those of the day mostly at its digits. "
        "A hyphen is the same in every date: where it looks says nothing.";
    task.source_vocabulary = characters_of(" ,-./0123456789ADFJMNOSTWabcdefghijlmnoprstuvwy");
    task.target_vocabulary = characters_of("-0123456789");
    task.longest_source = 36;
    task.longest_target = 10;
    task.split_by = [](const Example& each) { return each.target; };
    task.shown = Example{characters_of("3rd of May 1979"), characters_of("1979-05-03")};
    task.make = make_dates;
    return task;
}

}  // namespace headlight
