#include "app/cli/manual_page.h"

#include "app/cli/cli.h"

namespace headlight {
namespace {

/// Text as man prints it: neither a request at the start of a line nor an escape, and a minus that can be
/// copied.
std::string roff(std::string_view text) {
    std::string escaped = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char letter : text)
        if (letter == '\\')
            escaped += "\\e";
        else if (letter == '-')
            escaped += "\\-";
        else
            escaped += letter;
    return escaped;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }

void append_option(std::string& page, const Flag& option) {
    page += ".TP\n";
    if (!option.short_name.empty())
        page += bold(option.short_name) + ", ";
    page += bold(option.name);
    if (!option.value.empty())
        page += " \\fI" + roff(option.value) + "\\fR";
    page += '\n' + roff(option.help) + '\n';
}

constexpr std::string_view closing = R"(.SH ENVIRONMENT
.TP
\fBHEADLIGHT_ISA\fR
.BR baseline ", " avx2 " or " avx512 :
the most that the processor is asked for; what it has unless given.
.TP
\fBOMP_NUM_THREADS\fR
how many threads compute.
.SH FILES
.TP
.I ~/.local/share/Headlight
the window's own data: what was not saved, mechanisms of one's own, trainings.
.TP
.I share/doc/headlight/docs
beside the bin of the program: the manual, to whose pages options point by docs/. \fBheadlight \-\-help\fR has its whole
path.
.SH EXAMPLES
.nf
headlight run scaled_dot_product \-\-text "the bank of the river" \-o t.json
headlight render t.json \-\-width 85mm \-o figure.pdf
headlight attend dates\-additive\-gru \-\-text "3rd of May 1979"
.fi
)";

}  // namespace

std::string manual_page() {
    std::string page = ".TH HEADLIGHT 1 \"\" \"Headlight " HEADLIGHT_VERSION "\" \"User Commands\"\n"
                       ".SH NAME\nheadlight \\- see what every attention head looks at\n"
                       ".SH SYNOPSIS\n\\fBheadlight\\fR [\\fIFILE\\fR]\n";
    for_each_command([&](const Command& command) {
        page +=
            ".br\n" + bold("headlight " + std::string(command.name)) + ' ' + roff(command.synopsis) + '\n';
    });
    page += ".br\n" + bold("headlight help") + " [\\fICOMMAND\\fR]\n";
    page +=
        ".SH DESCRIPTION\n"
        "Headlight draws attention maps (heatmaps of attention weights per head) of typed text, trained "
        "models and attention\nthat other programs computed. Without a command it opens its window, and in "
        "it \\fIFILE\\fR: a session, an exported\nfigure, text, an image, or token vectors. The commands "
        "need no display.\n.SH OPTIONS\n";
    append_option(page, help_option);
    append_option(page, version_option);
    page += ".SH COMMANDS\n";
    for_each_command([&](const Command& command) {
        page += ".SS headlight " + roff(command.name) + ' ' + roff(command.synopsis) + '\n' +
                roff(command.summary) + '\n';
        for (const Flag& option : command.options)
            append_option(page, option);
    });
    page += ".SH EXIT STATUS\n" + roff(exit_status_help) + '\n';
    return page.append(closing);
}

}  // namespace headlight
