// Package locales holds every text that people read, in five languages: one folder for each language, one file for
// each part of Saldo. A text is named by its file and its key: "mail:test.subject".
//
// A file is a flat object of strings. {{name}} is a place to fill in, {{count, number}} one for a number. A text that
// counts has a key for each plural class of its language: "count_one", "count_few", "count_many", "count_other".
package locales

import "embed"

// Server has the texts that only the server writes, in mails, on its own pages, in documents and exported files, and
// those that the server and the web application share. The web application imports the shared files and all others.
//
//go:embed */notes.json */mail.json */idp.json */introduction.json */unsubscribe.json */consents.json */billing.json */exports.json
//go:embed */statement.json */types.json */document-types.json */driver-fields.json */settlement-fields.json */sign-in.json */summary.json
//go:embed */demo.json */contract-pages.json */contract-events.json */manifest.json */payment-sandbox.json
//go:embed */licence-documents.json */connections.json */report-model.json */pack.json */purchase-mails.json
var Server embed.FS
