#include "ui/render/latex_text.h"

#include <QList>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace headlight {
namespace {

struct LatexSpelling {
    char32_t character;
    const char* latex;
};

/// What means something to LaTeX, and signs of formulas that its fonts for text lack. By character.
constexpr LatexSpelling spellings_in_latex[] = {
    {U'"', "\\string\"{}"},
    {U'#', "\\#"},
    {U'$', "\\$"},
    {U'%', "\\%"},
    {U'&', "\\&"},
    {U'<', "\\textless{}"},
    {U'>', "\\textgreater{}"},
    {U'\\', "\\textbackslash{}"},
    {U'^', "\\textasciicircum{}"},
    {U'_', "\\_"},
    {U'`', "\\textasciigrave{}"},
    {U'{', "\\{"},
    {U'|', "\\textbar{}"},
    {U'}', "\\}"},
    {U'~', "\\textasciitilde{}"},
    {U'\u00D7', "\\ensuremath{\\times}"},
    {U'\u00F7', "\\ensuremath{\\div}"},
    {U'\u0394', "\\ensuremath{\\Delta}"},
    {U'\u03A3', "\\ensuremath{\\Sigma}"},
    {U'\u03B1', "\\ensuremath{\\alpha}"},
    {U'\u03B2', "\\ensuremath{\\beta}"},
    {U'\u03B3', "\\ensuremath{\\gamma}"},
    {U'\u03B4', "\\ensuremath{\\delta}"},
    {U'\u03B6', "\\ensuremath{\\zeta}"},
    {U'\u03B8', "\\ensuremath{\\theta}"},
    {U'\u03BB', "\\ensuremath{\\lambda}"},
    {U'\u03BC', "\\ensuremath{\\mu}"},
    {U'\u03BE', "\\ensuremath{\\xi}"},
    {U'\u03C0', "\\ensuremath{\\pi}"},
    {U'\u03C1', "\\ensuremath{\\rho}"},
    {U'\u03C3', "\\ensuremath{\\sigma}"},
    {U'\u03C4', "\\ensuremath{\\tau}"},
    {U'\u03C6', "\\ensuremath{\\varphi}"},
    {U'\u03C8', "\\ensuremath{\\psi}"},
    {U'\u03C9', "\\ensuremath{\\omega}"},
    {U'\u1D40', "\\ensuremath{^{\\mathsf T}}"},
    {U'\u1D63', "\\ensuremath{_{r}}"},
    {U'\u1D65', "\\ensuremath{_{v}}"},
    {U'\u2016', "\\ensuremath{\\Vert}"},
    {U'\u2032', "\\ensuremath{^\\prime}"},
    {U'\u2070', "\\ensuremath{^0}"},
    {U'\u2074', "\\ensuremath{^4}"},
    {U'\u2075', "\\ensuremath{^5}"},
    {U'\u2076', "\\ensuremath{^6}"},
    {U'\u2077', "\\ensuremath{^7}"},
    {U'\u2078', "\\ensuremath{^8}"},
    {U'\u2079', "\\ensuremath{^9}"},
    {U'\u207A', "\\ensuremath{^{+}}"},
    {U'\u207B', "\\ensuremath{^{-}}"},
    {U'\u2080', "\\ensuremath{_0}"},
    {U'\u2081', "\\ensuremath{_1}"},
    {U'\u2082', "\\ensuremath{_2}"},
    {U'\u2083', "\\ensuremath{_3}"},
    {U'\u2084', "\\ensuremath{_4}"},
    {U'\u2085', "\\ensuremath{_5}"},
    {U'\u2086', "\\ensuremath{_6}"},
    {U'\u2087', "\\ensuremath{_7}"},
    {U'\u2088', "\\ensuremath{_8}"},
    {U'\u2089', "\\ensuremath{_9}"},
    {U'\u2092', "\\ensuremath{_{o}}"},
    {U'\u2096', "\\ensuremath{_{k}}"},
    {U'\u2113', "\\ensuremath{\\ell}"},
    {U'\u2190', "\\ensuremath{\\leftarrow}"},
    {U'\u2191', "\\ensuremath{\\uparrow}"},
    {U'\u2192', "\\ensuremath{\\rightarrow}"},
    {U'\u2193', "\\ensuremath{\\downarrow}"},
    {U'\u21B5', "\\ensuremath{\\hookleftarrow}"},
    {U'\u21E5', "\\ensuremath{\\mapsto}"},
    {U'\u2205', "\\ensuremath{\\emptyset}"},
    {U'\u2208', "\\ensuremath{\\in}"},
    {U'\u2211', "\\ensuremath{\\Sigma}"},
    {U'\u2212', "\\ensuremath{-}"},
    {U'\u2217', "\\ensuremath{\\ast}"},
    {U'\u2218', "\\ensuremath{\\circ}"},
    {U'\u221A', "\\ensuremath{\\surd}"},
    {U'\u221D', "\\ensuremath{\\propto}"},
    {U'\u221E', "\\ensuremath{\\infty}"},
    {U'\u2248', "\\ensuremath{\\approx}"},
    {U'\u2260', "\\ensuremath{\\neq}"},
    {U'\u2264', "\\ensuremath{\\leq}"},
    {U'\u2265', "\\ensuremath{\\geq}"},
    {U'\u230A', "\\ensuremath{\\lfloor}"},
    {U'\u230B', "\\ensuremath{\\rfloor}"},
    {U'\u2423', "\\textvisiblespace{}"},
    {U'\u2581', "\\_"},
};
static_assert(std::ranges::is_sorted(spellings_in_latex, {}, &LatexSpelling::character));

/// Two of them in a row become one sign in LaTeX's fonts.
bool joins_its_like(char32_t character) {
    constexpr std::u32string_view joining = U"-,'";
    return joining.find(character) != std::u32string_view::npos;
}

/// Joiners, variations and directions: nothing that is seen by itself.
bool is_seen(char32_t character) {
    switch (QChar::category(character)) {
    case QChar::Other_Format:
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
        return false;
    default:
        return true;
    }
}

}  // namespace

QByteArray latex_text(const QString& text) {
    QByteArray latex;
    char32_t before = 0;
    for (const char32_t character : text.normalized(QString::NormalizationForm_C).toUcs4()) {
        const auto* const found =
            std::ranges::lower_bound(spellings_in_latex, character, {}, &LatexSpelling::character);
        if (found != std::end(spellings_in_latex) && found->character == character) {
            latex += found->latex;
        } else if (character < ' ' || (character >= 0x7F && character < 0xA0)) {
            latex += ' ';
        } else if (character < 0x7F) {
            latex += character == before && joins_its_like(character) ? "{}" : "";
            latex += static_cast<char>(character);
        } else {
            latex += "\\headlightsign{";
            if (is_seen(character))
                latex += QByteArray::number(static_cast<uint>(character), 16).toUpper();
            latex += "}{" + QString::fromUcs4(&character, 1).toUtf8() + '}';
        }
        before = character;
    }
    return latex;
}

QByteArray latex_sign_macro() {
    return "\\providecommand\\headlightframe[1]{{\\fboxsep0.4pt\\fboxrule0.2pt"
           "\\fbox{\\fontsize{4}{4}\\selectfont\\ttfamily#1}}}%\n"
           "\\providecommand\\headlightsign[2]{\\ifdefined\\Umathchar"
           "\\if\\relax\\detokenize{#1}\\relax#2\\else\\iffontchar\\font\"#1 "
           "#2\\else\\headlightframe{#1}\\fi\\fi"
           "\\else\\ifcsname u8:\\detokenize{#2}\\endcsname#2"
           "\\else\\if\\relax\\detokenize{#1}\\relax\\else\\headlightframe{#1}\\fi\\fi\\fi}%\n";
}

QByteArray latex_fit_macro() {
    return "\\providecommand\\headlightfit[2]{\\setbox0\\hbox{#2}"
           "\\ifdim\\wd0>#1\\resizebox{#1}{\\height}{#2}\\else#2\\fi}%\n";
}

}  // namespace headlight
