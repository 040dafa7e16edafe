// A workbook as Flat OpenDocument.

#include "core/program/workbook.h"
#include "core/program/workbook_formulas.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {
namespace {

/// Text as XML has it; what XML 1.0 has no sign for (controls, U+FFFE and U+FFFF) is a space.
std::string xml_text(const std::string& text) {
    std::string escaped;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.compare(at, 3, "\xef\xbf\xbe") == 0 || text.compare(at, 3, "\xef\xbf\xbf") == 0) {
            escaped += ' ';
            at += 2;
            continue;
        }
        const char c = text[at];
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
        }
    }
    return escaped;
}

/// Numbers with six decimals, and −∞ for what stands for it; a format with a condition shows no sign of its
/// own, so that negative numbers have one written out. Titles are bold and have room; what may be changed
/// lies on a colour.
constexpr std::string_view fods_start =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<office:document xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\""
    " xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\""
    " xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\""
    " xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\""
    " xmlns:number=\"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0\""
    " xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\""
    " xmlns:meta=\"urn:oasis:names:tc:opendocument:xmlns:meta:1.0\""
    " xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
    " xmlns:of=\"urn:oasis:names:tc:opendocument:xmlns:of:1.2\""
    " office:version=\"1.2\" office:mimetype=\"application/vnd.oasis.opendocument.spreadsheet\">\n";
constexpr std::string_view fods_styles =
    "<office:automatic-styles>\n"
    "<number:number-style style:name=\"infinite\" style:volatile=\"true\"><number:text>−∞</number:text>"
    "</number:number-style>\n"
    "<number:number-style style:name=\"negative\" style:volatile=\"true\"><number:text>-</number:text>"
    "<number:number number:decimal-places=\"6\" number:min-integer-digits=\"1\"/></number:number-style>\n"
    "<number:number-style style:name=\"digits\"><number:number number:decimal-places=\"6\""
    " number:min-integer-digits=\"1\"/><style:map style:condition=\"value()&lt;-1E+299\""
    " style:apply-style-name=\"infinite\"/><style:map style:condition=\"value()&lt;0\""
    " style:apply-style-name=\"negative\"/></number:number-style>\n"
    "<style:style style:name=\"names\" style:family=\"table-column\"><style:table-column-properties"
    " style:column-width=\"5.5cm\"/></style:style>\n"
    "<style:style style:name=\"number\" style:family=\"table-cell\" style:data-style-name=\"digits\"/>\n"
    "<style:style style:name=\"input\" style:family=\"table-cell\" style:data-style-name=\"digits\">"
    "<style:table-cell-properties fo:background-color=\"#fff4cc\"/></style:style>\n"
    "<style:style style:name=\"title\" style:family=\"table-cell\"><style:text-properties"
    " fo:font-weight=\"bold\"/></style:style>\n"
    "</office:automatic-styles>\n";

std::string fods_cell(const WorkbookCell& cell) {
    switch (cell.kind) {
    case WorkbookCell::Kind::empty:
        break;
    case WorkbookCell::Kind::text:
    case WorkbookCell::Kind::title:
        return std::string("<table:table-cell") +
               (cell.kind == WorkbookCell::Kind::title ? " table:style-name=\"title\"" : "") +
               " office:value-type=\"string\"><text:p>" + xml_text(cell.text) +
               "</text:p></table:table-cell>";
    case WorkbookCell::Kind::number:
    case WorkbookCell::Kind::input:
        return std::string("<table:table-cell table:style-name=\"") +
               (cell.kind == WorkbookCell::Kind::input ? "input" : "number") +
               "\" office:value-type=\"float\" office:value=\"" + formula_number(cell.number) + "\"/>";
    case WorkbookCell::Kind::formula:
        return "<table:table-cell table:style-name=\"number\" table:formula=\"of:=" + xml_text(cell.text) +
               "\"/>";
    }
    return "<table:table-cell/>";
}

}  // namespace

std::string write_fods(const Workbook& workbook) {
    std::string text(fods_start);
    text += "<office:meta><dc:title>" + xml_text(workbook.title) +
            "</dc:title><meta:generator>Headlight</meta:generator></office:meta>\n";
    text += fods_styles;
    text += "<office:body><office:spreadsheet>\n";
    for (const WorkbookSheet& sheet : workbook.sheets) {
        text += "<table:table table:name=\"" + xml_text(sheet.name) +
                "\">\n<table:table-column table:style-name=\"names\"/>\n";
        for (const auto& row : sheet.rows) {
            text += "<table:table-row>";
            for (const WorkbookCell& cell : row)
                text += fods_cell(cell);
            if (row.empty())
                text += "<table:table-cell/>";
            text += "</table:table-row>\n";
        }
        text += "</table:table>\n";
    }
    return text + "</office:spreadsheet></office:body></office:document>\n";
}

}  // namespace headlight
