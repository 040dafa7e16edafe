#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct CsvCell {
    std::string text;
    std::size_t line = 1;    ///< where it begins; a quoted cell may go on over several lines
    std::size_t column = 1;  ///< counted in cells
    bool is_quoted = false;
};
using CsvRow = std::vector<CsvCell>;

/// "line 3, column 2"
std::string csv_place(const CsvCell& cell);

/// A number with a decimal point, and nothing else in the cell; it may be infinite or not a number.
std::optional<double> csv_number_in(std::string_view text);

/// Cuts a table into rows of cells, one row at a time: as cells a file takes up to fifty times its bytes. RFC
/// 4180, and what programs make of it: tabs, semicolons or blanks for the commas, "sep=;" in a first line,
/// lines that end in CR alone. Which one separates is seen outside quotes. Between blanks (`numpy.savetxt`),
/// lines that begin with "#" are passed over.
class CsvRows {
public:
    /// `text` is UTF-8 and must outlive this.
    explicit CsvRows(std::string_view text);

    /// The next row that is not blank; false at the end. Throws Error for an open quote, and for what follows
    /// a closed one.
    bool next(CsvRow& row);
    /// Whether a blank line stands before the row that next() gave last.
    bool is_after_blank() const { return is_after_blank_; }
    char separator() const { return separator_; }
    /// At most so many cells are left.
    std::size_t most_cells() const;

private:
    void read_line(CsvRow& row);
    bool take(char expected);
    bool take_end_of_line();
    bool take_separator();
    CsvCell next_cell(std::size_t column);
    bool take_closing_quote(CsvCell& cell);

    std::string_view rest_;
    char separator_ = ',';
    std::size_t line_ = 1;
    bool is_after_blank_ = false;
};

}  // namespace headlight
