#!/usr/bin/env python3
"""Writes core/figure/colour_tables.cpp: colour maps of 256 entries each.

viridis, magma   Stefan van der Walt and Nathaniel Smith, 2015, CC0
                 (https://bids.github.io/colormap; the same numbers are in matplotlib's _cm_listed.py)
cividis          J. R. Nunez, C. R. Anderton, R. S. Renslow, PLOS ONE 13(7) e0199239, 2018, CC0
greys            white to black in equal steps of CIE lightness L*
diverging        blue - white - red with the same lightness at equal distance from the middle, the property that
                 K. Moreland, "Diverging Color Maps for Scientific Visualization", 2009, asks for; computed in OKLab
                 (B. Ottosson, 2020)
diverging_on_dark  the same two hues from a dark middle, for dark grounds

Development time only; needs python3-matplotlib for the first three:
    python3 scripts/generate_colour_tables.py > core/figure/colour_tables.cpp
"""
import math

from matplotlib import colormaps


def to_byte(linear):
    linear = min(max(linear, 0.0), 1.0)
    encoded = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return round(255 * encoded)


def from_matplotlib(name):
    return [tuple(round(255 * channel) for channel in colour) for colour in colormaps[name].colors]


def greys():
    table = []
    for i in range(256):
        lightness = 100 * (1 - i / 255)
        luminance = ((lightness + 16) / 116) ** 3 if lightness > 8 else lightness / 903.3
        table.append((to_byte(luminance),) * 3)
    return table


def oklch_to_linear(lightness, chroma, hue):
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )


def in_gamut(lightness, chroma, hue):
    return all(-1e-4 <= channel <= 1.0001 for channel in oklch_to_linear(lightness, chroma, hue))


def most_colourful(lightness, chroma, hue):
    while not in_gamut(lightness, chroma, hue):
        chroma -= 0.001
    return tuple(to_byte(channel) for channel in oklch_to_linear(lightness, chroma, hue))


def arm(distance, hue):
    """One colour at `distance` (0 to 1) from the white middle."""
    lightness = 0.985 - (0.985 - 0.39) * distance
    chroma = 0.148 * math.sin(0.60 * math.pi * distance)  # rises from the white middle without an edge
    return most_colourful(lightness, chroma, hue)


def arm_on_dark(distance, hue):
    """One colour at `distance` (0 to 1) from the dark middle, which is lighter than forbidden cells."""
    lightness = 0.30 + (0.80 - 0.30) * distance
    # Rises sooner than from white: cells without a number are as light as small numbers, and grey.
    chroma = 0.148 * math.sin(0.50 * math.pi * min(1, 2.2 * distance))
    return most_colourful(lightness, chroma, hue)


def diverging(arm):
    blue, red = math.radians(254), math.radians(25)
    half = [(i + 0.5) / 127.5 for i in range(128)]  # no entry is the middle itself: 256 is even
    return [arm(d, blue) for d in reversed(half)] + [arm(d, red) for d in half]


def write(name, table):
    assert len(table) == 256
    print(f"constexpr std::array<Rgb, 256> {name}{{{{")
    for start in range(0, 256, 8):
        print("    " + " ".join("{%d, %d, %d}," % colour for colour in table[start : start + 8]))
    print("}};\n")


print("// Written by scripts/generate_colour_tables.py, which names the sources; do not edit.")
print('#include "core/figure/colour_tables.h"\n\n#include <array>\n')
print("namespace headlight {\n\nnamespace {\n\n// clang-format off")
for name in ("viridis", "cividis", "magma"):
    write(name, from_matplotlib(name))
write("greys", greys())
write("diverging", diverging(arm))
write("diverging_on_dark", diverging(arm_on_dark))
print("// clang-format on\n\n}  // namespace\n\nnamespace colour_tables {")
for name in ("viridis", "cividis", "magma", "greys", "diverging", "diverging_on_dark"):
    print(f"const std::span<const Rgb, 256> {name}{{headlight::{name}}};")
print("}  // namespace colour_tables\n\n}  // namespace headlight")
