// Package ui holds the built web front end, so that the binary needs no files beside it.
package ui

import "embed"

// Dist is the build output: dist/app is served under /app/, with each larger
// file also stored as .gz and .br. A tree without a build holds only dist/.keep
// and still compiles.
//
//go:embed all:dist
var Dist embed.FS

// Fonts is the typeface, for pages that the server draws itself.
//
//go:embed src/fonts/*.woff2
var Fonts embed.FS
