#!/usr/bin/env python3
"""Makes the two fonts of this folder from Debian's fonts-noto-core, with fontTools: the letters of the five languages and
their neighbours, figures and signs. What is shown is what they have. Noto Sans has no minus: it is drawn here, as the bar of the plus."""
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x400, 0x460), *range(0x490, 0x500), *range(0x2010, 0x2016),
           *range(0x2018, 0x201F), 0x2020, 0x2021, 0x2022, 0x2026, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x20B4, 0x2116, 0x2122, 0xFFFD]

for style in ("Regular", "Bold"):
    font = TTFont(f"/usr/share/fonts/truetype/noto/NotoSans-{style}.ttf", recalcTimestamp=False)
    plus, dash = font["glyf"]["plus"], font["glyf"]["endash"]
    middle, half = (plus.yMin + plus.yMax) / 2, (dash.yMax - dash.yMin) / 2
    pen = TTGlyphPen(None)
    low, high = round(middle - half), round(middle + half)
    pen.moveTo((plus.xMin, low)); pen.lineTo((plus.xMin, high)); pen.lineTo((plus.xMax, high)); pen.lineTo((plus.xMax, low)); pen.closePath()
    font["glyf"]["minus"] = pen.glyph()
    font["hmtx"]["minus"] = (font["hmtx"]["plus"][0], plus.xMin)
    font.setGlyphOrder([*(g for g in font.getGlyphOrder() if g != "minus"), "minus"])
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[0x2212] = "minus"
    options = Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 4, 6, 13, 14])
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "DSIG", "meta"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[*LETTERS, 0x2212])
    subsetter.subset(font)
    font.save(f"NotoSans-{style}.ttf")
