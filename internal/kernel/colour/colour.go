// Package colour turns a partner's colour into the few that pages need, each
// moved in lightness until it can be read. It is the twin of the web
// application's theme, for what the server draws itself.
package colour

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Petrol is Saldo's own colour, used where a partner has none.
const Petrol = "#0B5D68"

const (
	ink   = "#12171D"
	white = "#FFFFFF"
)

var written = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// Valid says whether a colour is written as #RRGGBB.
func Valid(colour string) bool { return written.MatchString(colour) }

type palette struct {
	page, surface, raised, sunken, line, field, text, text2, text3, danger, dangerBg, warning, warningBg, info,
	infoBg, success, successBg string
}

var (
	light = palette{"#F6F7F8", "#FFFFFF", "#FFFFFF", "#F0F2F4", "#E4E7EB", "#87909C", "#12171D", "#465160", "#5F6977", "#B42318", "#FDECEA",
		"#855000", "#FDF3DF", "#2F5D94", "#EAF1F9", "#11734A", "#E8F5EE"}
	dark = palette{"#0D1013", "#14181C", "#1B2026", "#1A1F24", "#272D34", "#6E7885", "#E9ECEF", "#B0B8C2", "#929CA8", "#FF8F85", "#331A18",
		"#E3AE55", "#2C2210", "#8DB8EC", "#15253A", "#5CC492", "#12291F"}
)

// Set are the colours made of one brand. Every text on every background it can
// meet reaches 4.5:1.
type Set struct{ Fill, On, Text, Bg, BgStrong string }

// Of makes the set of a brand for light or dark pages.
func Of(brand string, night bool) Set {
	p := light
	if night {
		p = dark
	}
	if _, chroma, _ := lch(brand); Contrast(brand, p.surface) < 1.25 && chroma < 0.04 {
		brand = ink // white and black brands have no colour to keep
		if night {
			brand = p.text
		}
	}
	s := Set{Fill: brand, On: white}
	if night && Contrast(s.Fill, p.surface) < 3 {
		s.Fill = readable(brand, []string{p.surface, p.raised}, 3, 1)
	}
	if !night && Contrast(s.Fill, p.surface) < 1.5 {
		s.Fill = readable(brand, []string{p.surface}, 1.5, -1)
	}
	if Contrast(white, s.Fill) < 4.5 {
		if Contrast(ink, s.Fill) >= 4.5 {
			s.On = ink
		} else {
			s.Fill = readable(s.Fill, []string{white}, 4.5, -1)
		}
	}
	under, weak, strong, target, direction := brand, 0.08, 0.14, 4.5, -1.0
	if night {
		under, weak, strong, target, direction = s.Fill, 0.18, 0.26, 5.5, 1
	}
	s.Bg, s.BgStrong = tint(under, p, weak, 4.8), tint(under, p, strong, 4.5)
	s.Text = readable(brand, []string{p.surface, p.page, p.sunken, p.raised, s.Bg, s.BgStrong}, target, direction)
	return s
}

// Ground are the colours of a page that are nobody's: what texts stand on, and the texts.
type Ground struct{ Page, Surface, Line, Text, Text2, Text3 string }

// GroundOf are those of light or dark pages.
func GroundOf(night bool) Ground {
	p := light
	if night {
		p = dark
	}
	return Ground{p.page, p.surface, p.line, p.text, p.text2, p.text3}
}

// Variables are the custom properties of a stylesheet, as declarations.
func Variables(brand string, night bool) string {
	p, s := light, Of(brand, night)
	if night {
		p = dark
	}
	var b strings.Builder
	for _, v := range [][2]string{
		{"page", p.page}, {"surface", p.surface}, {"sunken", p.sunken}, {"line", p.line}, {"field", p.field}, {"text", p.text},
		{"text-2", p.text2}, {"text-3", p.text3}, {"text2", p.text2}, {"text3", p.text3}, // as each stylesheet writes them
		{"success", p.success}, {"success-bg", p.successBg},
		{"danger", p.danger}, {"danger-bg", p.dangerBg}, {"warning", p.warning}, {"warning-bg", p.warningBg}, {"info", p.info},
		{"info-bg", p.infoBg},
		{"brand-fill", s.Fill}, {"brand-on", s.On}, {"brand-text", s.Text}, {"brand-bg", s.Bg}, {"brand-bg-strong", s.BgStrong},
	} {
		fmt.Fprintf(&b, "--%s:%s;", v[0], v[1])
	}
	return b.String()
}

func tint(brand string, p palette, strongest, target float64) string {
	for share := strongest; share > 0.02; share -= 0.01 {
		if c := mix(brand, p.surface, share); Contrast(p.text3, c) >= target {
			return c
		}
	}
	return mix(brand, p.surface, 0.02)
}

func channels(hex string) (c [3]float64) {
	for i := range c {
		n, _ := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8) // Valid, as all that come here
		c[i] = float64(n)
	}
	return c
}

func hex(c [3]float64) string {
	return fmt.Sprintf("#%02X%02X%02X", int(math.Round(c[0])), int(math.Round(c[1])), int(math.Round(c[2])))
}

func linear(channel float64) float64 {
	c := channel / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

func gamma(c float64) float64 {
	if c <= 0.0031308 {
		c *= 12.92
	} else {
		c = 1.055*math.Pow(c, 1/2.4) - 0.055
	}
	return math.Round(255 * min(1, max(0, c)))
}

func luminance(colour string) float64 {
	c := channels(colour)
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// Contrast is the WCAG 2 ratio of two colours, from 1 to 21.
func Contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func mix(top, under string, share float64) string {
	p, q := channels(top), channels(under)
	for i := range p {
		p[i] = p[i]*share + q[i]*(1-share)
	}
	return hex(p)
}

// lch gives lightness, chroma and hue in OKLCH.
func lch(colour string) (lightness, chroma, hue float64) {
	c := channels(colour)
	r, g, b := linear(c[0]), linear(c[1]), linear(c[2])
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	x := 1.9779984951*l - 2.428592205*m + 0.4505937099*s
	y := 0.0259040371*l + 0.7827717662*m - 0.808675766*s
	return 0.2104542553*l + 0.793617785*m - 0.0040720468*s, math.Hypot(x, y), math.Atan2(y, x)
}

// fromLCH lets chroma fall only where sRGB ends, so that the hue stays.
func fromLCH(lightness, chroma, hue float64) string {
	for left := chroma; ; left -= 0.004 {
		c := max(left, 0)
		x, y := c*math.Cos(hue), c*math.Sin(hue)
		l := math.Pow(lightness+0.3963377774*x+0.2158037573*y, 3)
		m := math.Pow(lightness-0.1055613458*x-0.0638541728*y, 3)
		s := math.Pow(lightness-0.0894841775*x-1.291485548*y, 3)
		rgb := [3]float64{4.0767416621*l - 3.3077115913*m + 0.2309699292*s, -1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
			-0.0041960863*l - 0.7034186147*m + 1.707614701*s}
		inside := true
		for _, n := range rgb {
			inside = inside && n >= -0.0005 && n <= 1.0005
		}
		if left <= 0 || inside {
			return hex([3]float64{gamma(rgb[0]), gamma(rgb[1]), gamma(rgb[2])})
		}
	}
}

// readable moves lightness in one direction until the colour reads on every background.
func readable(colour string, on []string, target, direction float64) string {
	start, chroma, hue := lch(colour)
	for lightness := start; lightness >= 0 && lightness <= 1; lightness += direction * 0.004 {
		candidate, good := fromLCH(lightness, chroma, hue), true
		for _, background := range on {
			good = good && Contrast(candidate, background) >= target
		}
		if good {
			return candidate
		}
	}
	if direction < 0 {
		return "#000000"
	}
	return white
}
