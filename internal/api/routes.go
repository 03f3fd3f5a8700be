// Package api is the HTTP surface: the table of all operations and, one file
// for each business package, their shapes in JSON.
package api

import (
	"net/http"
	"time"

	"saldo/internal/billing"
	"saldo/internal/imports"
	"saldo/internal/kernel/access"
	"saldo/internal/ledger"
	"saldo/internal/payouts"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
)

// Settings are what the operations need besides the unit of work.
type Settings struct {
	DB       *db.DB
	Blobs    blob.Store
	Vault    *vault.Vault
	Instance config.Instance
	Identity config.Identity
	Version  string

	Mails       *mail.Queue
	Imports     *imports.Service
	Settlements *settlements.Service
	Payouts     *payouts.Service
	Billing     *billing.Service
	Summaries   *summaries.Service
	PublicURL   string // what links in mails begin with
}

// Register adds every operation to the router. This is the route table.
func Register(r *web.Router, s Settings) {
	const get, post, put, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete

	web.Plain(r, web.Route{Method: get, Path: "/api/config", Name: "config", Permission: access.Public,
		Summary: "What the interface must know before anybody signs in"}, s.config)
	web.Plain(r, web.Route{Method: get, Path: "/api/session", Name: "session", Permission: access.SessionRead,
		Summary: "Who is signed in, for which partner, and what they may do"}, s.session)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/limits", Name: "settlement-limits", Permission: access.LimitsRead,
		Summary: "How many settlements the partner may still make"}, limits)

	web.Read(r, web.Route{Method: get, Path: "/api/partners/terms", Name: "terms", Permission: access.TermsRead,
		Summary: "The newest terms and whether the partner accepted them"}, terms)
	web.Write(r, web.Route{Method: put, Path: "/api/partners/terms/acceptNewTerms", Name: "accept-terms", Permission: access.TermsWrite,
		Summary: "Accept the newest terms"}, acceptTerms)

	web.Read(r, web.Route{Method: get, Path: "/api/partners", Name: "partner", Permission: access.PartnerRead,
		Summary: "The partner's own profile"}, s.partner)
	web.Write(r, web.Route{Method: put, Path: "/api/partners", Name: "save-partner", Permission: access.PartnerWrite,
		Summary: "Replace the partner's own profile"}, s.savePartner)
	web.Read(r, web.Route{Method: get, Path: "/api/partners/driver-functions", Name: "driver-functions", Permission: access.PartnerRead,
		Summary: "What the partner's drivers see"}, driverFunctions)
	web.Write(r, web.Route{Method: put, Path: "/api/partners/driver-functions", Name: "set-driver-functions", Permission: access.PartnerWrite,
		Summary: "Choose what the partner's drivers see"}, setDriverFunctions)
	web.Read(r, web.Route{Method: get, Path: "/api/partners/partner-settlement-frequency", Name: "partner-settlement-frequency",
		Permission: access.PartnerRead,
		Summary:    "How often the partner's drivers are settled"}, settlementFrequency)
	web.Plain(r, web.Route{Method: put, Path: "/api/partners/logo", Name: "set-logo", Permission: access.PartnerWrite,
		Summary: "Replace the partner's logo"}, s.setLogo)
	web.Plain(r, web.Route{Method: del, Path: "/api/partners/logo", Name: "remove-logo", Permission: access.PartnerWrite,
		Summary: "Take the partner's logo away"}, s.removeLogo)

	web.Read(r, web.Route{Method: get, Path: "/api/partners/people", Name: "people", Permission: access.PartnerRead,
		Summary: "The people of the partner's office: who is invited, who can sign in, who is blocked"}, people)
	web.Plain(r, web.Route{Method: post, Path: "/api/partners/people", Name: "invite-person", Fresh: true, Mails: true,
		Permission: access.PartnerWrite, Status: http.StatusCreated,
		Summary: "Invite somebody to the partner's office; they are mailed a link"}, s.invitePerson)
	web.Write(r, web.Route{Method: post, Path: "/api/partners/people/{id}/resend", Name: "resend-invitation", Mails: true,
		Permission: access.PartnerWrite,
		Summary:    "Mail an invitation again with a new link"}, s.resendInvitation)
	web.Write(r, web.Route{Method: post, Path: "/api/partners/people/{id}/withdraw", Name: "withdraw-invitation",
		Permission: access.PartnerWrite,
		Summary:    "Take an invitation back; its link ends"}, withdrawInvitation)
	web.Write(r, web.Route{Method: post, Path: "/api/partners/people/{id}/block", Name: "block-person", Permission: access.PartnerWrite,
		Summary: "Take a person's access away; nobody their own, and two stay while batches need two"}, s.blockPerson)
	web.Write(r, web.Route{Method: post, Path: "/api/partners/people/{id}/unblock", Name: "unblock-person", Fresh: true,
		Permission: access.PartnerWrite,
		Summary:    "Give a person their access back"}, unblockPerson)

	web.Read(r, web.Route{Method: get, Path: "/api/tags", Name: "tags", Permission: access.TagsRead,
		Summary: "All tags of the partner by name"}, tags)
	web.Write(r, web.Route{Method: post, Path: "/api/tags", Name: "add-tag", Permission: access.TagsWrite, Status: http.StatusCreated,
		Summary: "Make a tag"}, addTag)
	web.Write(r, web.Route{Method: del, Path: "/api/tags/{id}", Name: "remove-tag", Permission: access.TagsWrite,
		Summary: "Remove a tag"}, removeTag)

	web.Read(r, web.Route{Method: get, Path: "/api/drivers", Name: "drivers", Permission: access.DriversRead,
		Summary: "A page of the partner's drivers"}, s.drivers)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers", Name: "add-driver", Mails: true, Permission: access.DriversWrite,
		Status:  http.StatusCreated,
		Summary: "Write a driver down; one with an e-mail address is sent an activation"}, s.addDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/tags", Name: "tag-drivers", Permission: access.DriversWrite,
		Summary: "Add tags to drivers and take others away"}, tagDrivers)
	web.Plain(r, web.Route{Method: get, Path: "/api/drivers/export", Name: "export-drivers", Permission: access.DriversRead,
		Timeout: 2 * time.Minute,
		Summary: "All drivers of a filter as a file"}, s.exportDrivers)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}", Name: "driver", Permission: access.DriversRead,
		Summary: "One driver, whole"}, s.driver)
	web.Write(r, web.Route{Method: put, Path: "/api/drivers/{id}", Name: "save-driver", Mails: true, Permission: access.DriversWrite,
		Summary: "Replace what is written down of a driver"}, s.saveDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/block", Name: "block-driver", Permission: access.DriversWrite,
		Summary: "Shut a driver out of settlements"}, blockDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/unblock", Name: "unblock-driver", Permission: access.DriversWrite,
		Summary: "Let a blocked driver in again"}, unblockDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/activate", Name: "activate-driver", Permission: access.DriversWrite,
		Summary: "Say that somebody drives for the partner"}, activateDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/deactivate", Name: "deactivate-driver", Permission: access.DriversWrite,
		Summary: "Say that somebody no longer drives for the partner"}, deactivateDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/activation", Name: "send-activation", Mails: true,
		Permission: access.DriversWrite,
		Summary:    "Mail a driver the link to their own account, once"}, s.sendActivation)
	web.Write(r, web.Route{Method: put, Path: "/api/drivers/{id}/identities", Name: "set-identities", Permission: access.DriversWrite,
		Summary: "Replace what providers know a driver by"}, s.setIdentities)
	web.Write(r, web.Route{Method: put, Path: "/api/drivers/{id}/tags", Name: "tag-driver", Permission: access.DriversWrite,
		Summary: "Replace a driver's tags"}, tagDriver)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/history", Name: "driver-history", Permission: access.DriversRead,
		Summary: "Who changed what of a driver, newest first"}, s.driverHistory)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/merge-preview", Name: "merge-preview", Permission: access.DriversRead,
		Summary: "What merging two drivers would do"}, s.mergePreview)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/merge", Name: "merge-drivers", Mails: true, Permission: access.DriversWrite,
		Status:  http.StatusCreated,
		Summary: "Make two drivers one; can be undone until something that moved is settled"}, s.mergeDrivers)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/merges", Name: "driver-merges", Permission: access.DriversRead,
		Summary: "Who gave way to a driver, and whether that can be undone"}, s.driverMerges)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-merges/{id}/undo", Name: "undo-merge", Mails: true,
		Permission: access.DriversWrite,
		Summary:    "Make two drivers of one again"}, s.undoMerge)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/possible-duplicates", Name: "possible-duplicates", Permission: access.DriversRead,
		Summary: "Pairs of drivers who may be one person, with what speaks for it"}, possibleDuplicates)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/possible-duplicates/dismiss", Name: "dismiss-duplicate",
		Permission: access.DriversWrite,
		Summary:    "Dismiss a pair: the two drivers are different people"}, dismissDuplicate)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/possible-duplicates/propose-again", Name: "propose-again",
		Permission: access.DriversWrite,
		Summary:    "Take back that two drivers are two different people"}, proposeAgain)
	web.Plain(r, web.Route{Method: get, Path: "/api/drivers/{id}/account", Name: "driver-bond", Permission: access.DriversRead,
		Summary: "How a driver stands to an account of their own"}, forPartner(s, driverBond))
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/verify", Name: "verify-driver", Permission: access.DriversWrite,
		Summary: "Say that it was checked who a driver is"}, verifyDriver)
	web.Write(r, web.Route{Method: post, Path: "/api/drivers/{id}/unverify", Name: "unverify-driver", Permission: access.DriversWrite,
		Summary: "Take that back"}, unverifyDriver)

	web.Plain(r, web.Route{Method: get, Path: "/api/driver-profiles", Name: "driver-profiles", Permission: access.DriversRead,
		Summary: "A page of drivers by what became of their accounts: mailed an activation, chose the partner, kept out"},
		forPartner(s, driverProfiles))
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/link", Name: "link-profiles", Permission: access.DriversWrite,
		Summary: "Link many, each with the only one of the same confirmed e-mail address"}, linkProfiles)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/unlink", Name: "unlink-profiles", Permission: access.DriversWrite,
		Summary: "Undo the links of many"}, unlinkProfiles)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/block", Name: "block-profiles", Permission: access.DriversWrite,
		Summary: "Keep many out"}, blockProfiles)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/unblock", Name: "unblock-profiles", Permission: access.DriversWrite,
		Summary: "Let many in again"}, unblockProfiles)
	web.Read(r, web.Route{Method: get, Path: "/api/driver-profiles/{id}", Name: "driver-profile", Permission: access.DriversRead,
		Summary: "One profile beside the drivers that it may be"}, driverProfile)
	web.Write(r, web.Route{Method: post, Path: "/api/driver-profiles/{id}/link", Name: "link-profile", Permission: access.DriversWrite,
		Summary: "Link a profile with one of the partner's drivers, or with a new one"}, s.linkProfile)

	web.Read(r, web.Route{Method: get, Path: "/api/settlement-schemas", Name: "schemas", Permission: access.SchemasRead,
		Summary: "All schemas of the partner, the default one first"}, listSchemas)
	web.Write(r, web.Route{Method: post, Path: "/api/settlement-schemas", Name: "add-schema", Permission: access.SchemasWrite,
		Status:  http.StatusCreated,
		Summary: "Make a schema"}, s.addSchema)
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-schemas/{schemaNumber}", Name: "schema", Permission: access.SchemasRead,
		Summary: "One schema"}, oneSchema)
	web.Write(r, web.Route{Method: put, Path: "/api/settlement-schemas/{schemaNumber}", Name: "save-schema", Permission: access.SchemasWrite,
		Summary: "Replace the rules of a schema by a new version"}, s.saveSchema)
	web.Write(r, web.Route{Method: del, Path: "/api/settlement-schemas/{schemaNumber}", Name: "remove-schema", Permission: access.SchemasWrite,
		Summary: "Delete a schema that nobody is settled by"}, removeSchema)
	web.Write(r, web.Route{Method: post, Path: "/api/settlement-schemas/{schemaNumber}/default", Name: "set-default-schema",
		Permission: access.SchemasWrite,
		Summary:    "Make a schema the default one"}, setDefaultSchema)
	web.Write(r, web.Route{Method: post, Path: "/api/settlement-schemas/{schemaNumber}/copy", Name: "copy-schema",
		Permission: access.SchemasWrite,
		Status:     http.StatusCreated, Summary: "Make a schema with the rules of another"}, copySchema)
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-schemas/{schemaNumber}/drivers", Name: "schema-drivers",
		Permission: access.SchemasRead,
		Summary:    "Who is settled by a schema"}, schemaDrivers)
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-schemas/{schemaNumber}/history", Name: "schema-history",
		Permission: access.SchemasRead,
		Summary:    "What a schema said before"}, schemaHistory)
	web.Read(r, web.Route{Method: get, Path: "/api/transactions", Name: "transactions", Permission: access.TransactionsRead,
		Summary: "A driver's transactions, newest first, with the totals of the filter"}, transactions)
	web.Write(r, web.Route{Method: post, Path: "/api/transactions", Name: "add-transaction", Permission: access.TransactionsWrite,
		Status:  http.StatusCreated,
		Summary: "Enter a cost, an internal transaction or an invoice of a driver; in cash it gets its twin"}, s.addTransaction)
	web.Plain(r, web.Route{Method: get, Path: "/api/transactions/types", Name: "transaction-types", Permission: access.TransactionsRead,
		Summary: "All types of transactions"}, transactionTypes)
	web.Write(r, web.Route{Method: post, Path: "/api/transactions/retype", Name: "retype-transactions", Permission: access.TransactionsWrite,
		Summary: "Give a type to rows that came without one, and remember it"}, retype)
	web.Write(r, web.Route{Method: put, Path: "/api/transactions/{id}", Name: "save-transaction", Permission: access.TransactionsWrite,
		Summary: "Change what was entered by hand, while it is unsettled"}, s.saveTransaction)
	web.Write(r, web.Route{Method: del, Path: "/api/transactions/{id}", Name: "remove-transaction", Permission: access.TransactionsWrite,
		Summary: "Delete what was entered by hand, while it is unsettled"}, removeTransaction)
	web.Write(r, web.Route{Method: post, Path: "/api/transactions/{id}/restore", Name: "restore-transaction",
		Permission: access.TransactionsWrite,
		Summary:    "Bring back what was deleted"}, restoreTransaction)
	web.Read(r, web.Route{Method: get, Path: "/api/transactions/{id}/history", Name: "transaction-history",
		Permission: access.TransactionsRead,
		Summary:    "Who changed a transaction, when and how"}, transactionHistory)
	web.Plain(r, web.Route{Method: put, Path: "/api/transactions/{id}/evidence", Name: "set-evidence", Permission: access.TransactionsWrite,
		BodyLimit: ledger.EvidencePDFMax, Summary: "Attach a photo or a PDF"}, s.setEvidence)
	web.Plain(r, web.Route{Method: get, Path: "/api/transactions/{id}/evidence", Name: "evidence", Permission: access.TransactionsRead,
		Summary: "The attached file"}, s.evidence)
	web.Plain(r, web.Route{Method: del, Path: "/api/transactions/{id}/evidence", Name: "remove-evidence", Permission: access.TransactionsWrite,
		Summary: "Take the attached file away"}, s.removeEvidence)

	web.Plain(r, web.Route{Method: post, Path: "/api/imports", Name: "add-import", Permission: access.ImportsWrite, Status: http.StatusCreated,
		BodyLimit: imports.FileMax + 1<<20, Timeout: 10 * time.Minute,
		Summary: "Upload a provider's file; nothing of it is booked before it is confirmed"}, s.addImport)
	web.Read(r, web.Route{Method: get, Path: "/api/imports", Name: "imports", Permission: access.ImportsRead,
		Summary: "A page of uploaded files, newest first"}, importList)
	web.Plain(r, web.Route{Method: get, Path: "/api/imports/template", Name: "import-template", Permission: access.ImportsRead,
		Summary: "Saldo's own sheet, empty"}, importTemplate)
	web.Read(r, web.Route{Method: get, Path: "/api/imports/coverage", Name: "import-coverage", Permission: access.ImportsRead,
		Summary: "Which of the last twelve weeks of which providers are there"}, s.importCoverage)
	web.Read(r, web.Route{Method: get, Path: "/api/imports/{id}", Name: "import", Permission: access.ImportsRead,
		Summary: "One file: its preview, how far its job is, and what became of it"}, s.oneImport)
	web.Write(r, web.Route{Method: post, Path: "/api/imports/{id}/confirm", Name: "confirm-import", Permission: access.ImportsWrite,
		Status:  http.StatusAccepted,
		Summary: "Import a previewed file, in a job; a second confirmation joins the first"}, s.confirmImport)
	web.Plain(r, web.Route{Method: post, Path: "/api/imports/{id}/cancel", Name: "cancel-import", Permission: access.ImportsWrite,
		Summary: "Give a file up before it is imported; nothing of it is left"}, s.cancelImport)
	web.Plain(r, web.Route{Method: del, Path: "/api/imports/{id}", Name: "remove-import", Permission: access.ImportsWrite,
		Timeout: 5 * time.Minute,
		Summary: "Take back all that an import brought, while none of it is settled"}, s.removeImport)
	web.Read(r, web.Route{Method: get, Path: "/api/imports/{id}/rows", Name: "import-rows", Permission: access.ImportsRead,
		Summary: "A page of the rows that an import brought, in the order of the file"}, importRows)
	web.Plain(r, web.Route{Method: get, Path: "/api/imports/{id}/file", Name: "import-file", Permission: access.ImportsRead,
		Timeout: 5 * time.Minute,
		Summary: "The original file"}, s.importFile)
	web.Plain(r, web.Route{Method: get, Path: "/api/imports/{id}/refused", Name: "import-refused", Permission: access.ImportsRead,
		Timeout: 5 * time.Minute,
		Summary: "The rows that were refused, with their reasons, as a file"}, s.refusedRows)
	web.Write(r, web.Route{Method: post, Path: "/api/imports/{id}/read-again", Name: "read-import-again", Permission: access.ImportsWrite,
		Status:  http.StatusAccepted,
		Summary: "Analyze an uploaded file again, in a job"}, readImportAgain)
	web.Read(r, web.Route{Method: get, Path: "/api/import-mappings", Name: "import-mappings", Permission: access.ImportsRead,
		Summary: "What the partner said of files whose layout nobody knows"}, importMappings)
	web.Write(r, web.Route{Method: post, Path: "/api/import-mappings", Name: "add-import-mapping", Permission: access.ImportsWrite,
		Status:  http.StatusCreated,
		Summary: "Remember what the columns of a file hold; files with these columns are read again"}, s.addMapping)
	web.Plain(r, web.Route{Method: post, Path: "/api/import-mappings/try", Name: "try-import-mapping", Permission: access.ImportsRead,
		Summary: "Read the first rows of a file with a mapping that is not saved"}, s.tryMapping)
	web.Write(r, web.Route{Method: put, Path: "/api/import-mappings/{id}", Name: "save-import-mapping", Permission: access.ImportsWrite,
		Summary: "Replace what a mapping says; files that wait for confirmation are read again"}, s.saveMapping)
	web.Write(r, web.Route{Method: del, Path: "/api/import-mappings/{id}", Name: "remove-import-mapping", Permission: access.ImportsWrite,
		Summary: "Forget a mapping; what it has read stays"}, removeMapping)
	web.Read(r, web.Route{Method: get, Path: "/api/remembered-types", Name: "remembered-types", Permission: access.ImportsRead,
		Summary: "Types that people gave to rows that came without one, as later files take them"}, rememberedTypes)
	web.Write(r, web.Route{Method: del, Path: "/api/remembered-types/{id}", Name: "remove-remembered-type", Permission: access.ImportsWrite,
		Summary: "Forget a remembered type; rows that have taken it keep it"}, removeRememberedType)
	web.Read(r, web.Route{Method: get, Path: "/api/unmatched-drivers", Name: "unmatched-drivers", Permission: access.ImportsRead,
		Summary: "A page of the people whom files name and nobody knew"}, importIdentities)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/create", Name: "create-from-unmatched",
		Permission: access.ImportsWrite, Timeout: time.Minute, Status: http.StatusOK,
		Summary: "Write new drivers down for many that have a name and look like nobody who is there"}, s.createFromIdentities)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/undo", Name: "undo-unmatched-drivers", Permission: access.ImportsWrite,
		Timeout: time.Minute, Status: http.StatusOK,
		Summary: "Take the decisions about many back, while nothing of them is settled"}, s.undoIdentities)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/{id}/assign", Name: "assign-unmatched-driver",
		Permission: access.ImportsWrite,
		Status:     http.StatusOK,
		Summary:    "Say which driver it is; the rows follow at once"}, s.assignIdentity)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/{id}/create", Name: "create-from-unmatched-driver",
		Permission: access.ImportsWrite, Status: http.StatusCreated,
		Summary: "Write a new driver down for it; the rows follow at once"}, s.createFromIdentity)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/{id}/ignore", Name: "ignore-unmatched-driver",
		Permission: access.ImportsWrite,
		Summary:    "Leave the rows to nobody, in later files too"}, ignoreIdentity)
	web.Write(r, web.Route{Method: post, Path: "/api/unmatched-drivers/{id}/undo", Name: "undo-unmatched-driver",
		Permission: access.ImportsWrite,
		Status:     http.StatusOK,
		Summary:    "Take a decision back, while nothing of it is settled; the rows wait again"}, s.undoIdentity)

	web.Read(r, web.Route{Method: get, Path: "/api/settlements/periods", Name: "settlement-periods", Permission: access.SettlementsRead,
		Summary: "The weeks that can be settled, newest first"}, s.settlementPeriods)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/pending", Name: "pending-settlements", Permission: access.SettlementsRead,
		Timeout: time.Minute,
		Summary: "A page of what is pending in a period, computed now, with the totals of the filter"}, s.pendingSettlements)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/pending/payable", Name: "payable-pending", Permission: access.SettlementsRead,
		Timeout: time.Minute,
		Summary: "Who of a filter could be settled, with what each would be paid"}, s.payablePending)
	web.Plain(r, web.Route{Method: post, Path: "/api/settlement-runs", Name: "preview-settlement-run", Permission: access.SettlementsWrite,
		Status: http.StatusCreated, Timeout: time.Minute,
		Summary: "A dry run: what settling would do; nothing is settled"}, s.previewRun)
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-runs/{id}", Name: "settlement-run", Permission: access.SettlementsRead,
		Summary: "A dry run with its reasons and checks, and what became of it once it was started"}, settlementRun)
	web.Write(r, web.Route{Method: post, Path: "/api/settlement-runs/{id}/start", Name: "start-settlement-run",
		Permission: access.SettlementsWrite, Status: http.StatusAccepted, Timeout: time.Minute,
		Summary: "Settle exactly what a dry run showed; a second start joins the first"}, s.startRun)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements", Name: "settlements", Permission: access.SettlementsRead,
		Summary: "A page of what is settled, paid or revoked, with the totals of the filter"}, settledSettlements)
	web.Plain(r, web.Route{Method: get, Path: "/api/settlements/export", Name: "export-settlements", Permission: access.SettlementsRead,
		Timeout: 2 * time.Minute,
		Summary: "All settlements of a filter as a file, every figure in its own column"}, s.exportSettlements)
	web.Plain(r, web.Route{Method: get, Path: "/api/reports/payout", Name: "payout-report", Permission: access.SettlementsRead,
		Timeout: 2 * time.Minute,
		Summary: "What was paid on some days as a file: by settlement and by driver, with totals"}, s.payoutReport)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/pay", Name: "pay-settlements", Permission: access.SettlementsWrite,
		Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Mark settlements as paid on a day"}, s.paySettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/unpay", Name: "unpay-settlements", Permission: access.SettlementsWrite,
		Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Take back that settlements were paid"}, unpaySettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/revoke", Name: "revoke-settlements", Permission: access.SettlementsWrite,
		Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Take settlements back, with a reason"}, s.revokeSettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/carry", Name: "carry-settlements", Permission: access.SettlementsWrite,
		Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Write what settlements left into the next period, where it is not done by itself"}, s.carrySettlements)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/share", Name: "share-settlements", Permission: access.SettlementsWrite,
		Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Let the drivers see settlements"}, shareSettlements)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/{id}", Name: "settlement", Permission: access.SettlementsRead,
		Summary: "A settlement explained from exactly what it took"}, s.oneSettlement)
	web.Plain(r, web.Route{Method: get, Path: "/api/settlements/{id}/statement", Name: "settlement-statement",
		Permission: access.SettlementsRead,
		Summary:    "The statement of a settlement as a PDF, in the driver's language"}, s.settlementStatement)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/{id}/documents", Name: "billing-documents", Permission: access.SettlementsRead,
		Summary: "The bill or invoice of a settlement, or what stands in its way"}, s.billingDocuments)
	web.Write(r, web.Route{Method: post, Path: "/api/settlements/{id}/documents", Name: "issue-document", Permission: access.SettlementsWrite,
		Status:  http.StatusCreated,
		Summary: "Issue the bill or invoice of a settlement; asked again it is the same one"}, s.issueDocument)
	web.Read(r, web.Route{Method: get, Path: "/api/billing-documents", Name: "document-register", Permission: access.SettlementsRead,
		Summary: "A page of issued bills, invoices and corrections, with the sums of the filter"}, s.documentRegister)
	web.Plain(r, web.Route{Method: get, Path: "/api/billing-documents/archive", Name: "document-archive", Permission: access.SettlementsRead,
		Timeout: 2 * time.Minute,
		Summary: "Issued documents of a filter as a ZIP: PDF, and XML of invoices"}, s.documentArchive)
	web.Write(r, web.Route{Method: post, Path: "/api/billing-documents", Name: "issue-documents", Permission: access.SettlementsWrite,
		Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Issue the documents of many settlements, each on its own"}, s.issueDocuments)
	web.Write(r, web.Route{Method: post, Path: "/api/billing-documents/{id}/send-again", Name: "send-document-again",
		Permission: access.SettlementsWrite, Status: http.StatusOK,
		Summary: "Put a document right that KSeF refused, and send it again under its number"}, s.sendDocumentAgain)
	web.Read(r, web.Route{Method: get, Path: "/api/billing-agreements", Name: "billing-agreements", Permission: access.SettlementsRead,
		Summary: "How drivers approve invoices that the partner writes for them"}, billingAgreements)
	web.Write(r, web.Route{Method: put, Path: "/api/billing-agreements", Name: "save-billing-agreement", Permission: access.SettlementsWrite,
		Summary: "Write down how all drivers, or one, approve invoices; drafts that wait keep what held"}, s.agree)
	web.Write(r, web.Route{Method: put, Path: "/api/billing-certificate", Name: "save-billing-certificate", Fresh: true,
		Permission: access.PartnerWrite,
		Summary:    "Keep the certificate that signs the second code of invoices which KSeF has not accepted yet"}, s.setCertificate)
	web.Plain(r, web.Route{Method: get, Path: "/api/billing-documents/{id}", Name: "billing-pdf", Permission: access.SettlementsRead,
		Summary: "A bill or invoice as a PDF"}, s.billingPDF)
	web.Plain(r, web.Route{Method: get, Path: "/api/billing-documents/{id}/xml", Name: "billing-file", Permission: access.SettlementsRead,
		Summary: "An invoice as machines read it: FA(3), in Germany EN 16931"}, s.billingFile)
	web.Read(r, web.Route{Method: get, Path: "/api/settlements/{id}/undoing", Name: "settlement-undoing", Permission: access.SettlementsRead,
		Summary: "What revoking a settlement takes back"}, settlementUndoing)
	web.Read(r, web.Route{Method: get, Path: "/api/drivers/{id}/pending-settlement", Name: "pending-settlement",
		Permission: access.SettlementsRead,
		Summary:    "What a driver has pending in a period, explained"}, s.pendingSettlement)
	web.Plain(r, web.Route{Method: post, Path: "/api/settlement-schemas/simulate", Name: "simulate-schema", Permission: access.SchemasRead,
		Timeout: time.Minute,
		Summary: "What rules would have made of the last complete period; nothing is saved"}, s.simulateSchema)
	web.Read(r, web.Route{Method: get, Path: "/api/payout-settings", Name: "payout-settings", Permission: access.PayoutsRead,
		Summary: "How the partner pays its drivers, and which files banks take"}, s.payoutSettings)
	web.Write(r, web.Route{Method: put, Path: "/api/payout-settings", Name: "save-payout-settings", Fresh: true,
		Permission: access.PayoutsWrite,
		Summary:    "Choose the bank's file, and whether a second person releases batches; turning that off takes two people"},
		s.savePayoutSettings)
	web.Read(r, web.Route{Method: get, Path: "/api/payout-settings/two-person", Name: "two-person", Permission: access.PayoutsRead,
		Summary: "Whether a second person releases batches, and who asked to turn it off"}, s.twoPerson)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/turn-on", Name: "turn-on-two-person", Fresh: true,
		Permission: access.PayoutsWrite,
		Summary:    "Have a second person release every batch; needs two active people"}, s.turnOnTwoPerson)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/requests", Name: "request-two-person-off", Fresh: true,
		Permission: access.PayoutsWrite,
		Status:     http.StatusCreated, Summary: "Ask to turn it off; it stays on until another person confirms"}, s.requestTwoPersonOff)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/requests/{id}/confirm", Name: "confirm-two-person-off",
		Fresh: true, Permission: access.PayoutsWrite,
		Summary: "Turn it off, as another person asked"}, s.confirmTwoPersonOff)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/requests/{id}/reject", Name: "reject-two-person-off",
		Permission: access.PayoutsWrite,
		Summary:    "Keep it on, although another person asked to turn it off"}, rejectTwoPersonOff)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-settings/two-person/requests/{id}/withdraw", Name: "withdraw-two-person-off",
		Permission: access.PayoutsWrite,
		Summary:    "Take one's own request back"}, withdrawTwoPersonOff)
	web.Plain(r, web.Route{Method: post, Path: "/api/payout-batches/plan", Name: "plan-payouts", Permission: access.PayoutsRead,
		Timeout: time.Minute,
		Summary: "A dry run: which batches would be made, who is left out and why; nothing is made"}, s.planPayouts)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches", Name: "make-payouts", Permission: access.PayoutsWrite,
		Status: http.StatusCreated, Timeout: time.Minute,
		Summary: "Make exactly the batches that a dry run showed, or none"}, s.makePayouts)
	web.Read(r, web.Route{Method: get, Path: "/api/payout-batches", Name: "payout-batches", Permission: access.PayoutsRead,
		Summary: "A page of batches, newest first"}, payoutBatches)
	web.Read(r, web.Route{Method: get, Path: "/api/payout-batches/{batchNumber}", Name: "payout-batch", Permission: access.PayoutsRead,
		Summary: "One batch with its transfers as the bank was told"}, s.payoutBatch)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches/{batchNumber}/release", Name: "release-payouts",
		Permission: access.PayoutsWrite,
		Summary:    "Let a batch that somebody else made go to the bank"}, releasePayouts)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches/{batchNumber}/cancel", Name: "cancel-payouts",
		Permission: access.PayoutsWrite,
		Summary:    "Give a batch up; its settlements can be paid in another one"}, cancelPayouts)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches/{batchNumber}/settlements/{id}/remove", Name: "remove-from-payouts",
		Permission: access.PayoutsWrite,
		Summary:    "Take a settlement out of a batch: what came back is paid anew, what was paid stays paid"}, removeFromPayouts)
	web.Write(r, web.Route{Method: post, Path: "/api/payout-batches/{batchNumber}/pay", Name: "pay-payouts", Permission: access.PayoutsWrite,
		Status: http.StatusOK, Timeout: time.Minute,
		Summary: "Mark everything in a batch as paid on a day"}, s.payBatch)
	web.Read(r, web.Route{Method: get, Path: "/api/bank-statements", Name: "bank-statements", Permission: access.PayoutsRead,
		Summary: "The newest statements of the bank that were confirmed"}, bankStatements)
	web.Plain(r, web.Route{Method: post, Path: "/api/bank-statements/plan", Name: "plan-bank-statement", Permission: access.PayoutsRead,
		Timeout: time.Minute, BodyLimit: statementLimit,
		Summary: "A dry run: what a statement of the bank says of transfers; nothing is noted"}, s.planStatement)
	web.Write(r, web.Route{Method: post, Path: "/api/bank-statements", Name: "confirm-bank-statement", Permission: access.PayoutsWrite,
		Status: http.StatusCreated, Timeout: time.Minute, BodyLimit: statementLimit,
		Summary: "Note exactly what a dry run showed, or nothing: what was paid is marked, what came back can be paid anew"}, s.confirmStatement)
	web.Plain(r, web.Route{Method: get, Path: "/api/payout-batches/{batchNumber}/file", Name: "payout-file", Permission: access.PayoutsRead,
		Timeout: time.Minute,
		Summary: "The file for the bank; the same bytes each time"}, s.payoutFile)
	web.Write(r, web.Route{Method: post, Path: "/api/summary-sendings", Name: "prepare-summaries", Permission: access.SettlementsWrite,
		Status: http.StatusCreated, Timeout: time.Minute,
		Summary: "A dry run of sending bills: who gets one, who does not and why; nothing is sent"}, s.prepareSummaries)
	web.Read(r, web.Route{Method: get, Path: "/api/summary-sendings/{id}", Name: "summary-sending", Permission: access.SettlementsRead,
		Summary: "A sending, and where its mails stand once it was started"}, summarySending)
	web.Write(r, web.Route{Method: post, Path: "/api/summary-sendings/{id}/start", Name: "start-summaries", Mails: true,
		Permission: access.SettlementsWrite, Status: http.StatusAccepted, Timeout: time.Minute,
		Summary: "Send exactly what was shown; many wait half a minute in which they can be cancelled; a second start joins the first"},
		s.startSummaries)
	web.Write(r, web.Route{Method: post, Path: "/api/summary-sendings/{id}/cancel", Name: "cancel-summaries",
		Permission: access.SettlementsWrite,
		Summary:    "Take a sending back while it waits; nobody is mailed"}, cancelSummaries)
	web.Read(r, web.Route{Method: get, Path: "/api/summaries", Name: "summaries", Permission: access.SettlementsRead,
		Summary: "Bills that were sent of a settlement, newest first; without one, those that failed and wait to be tried again"}, listSummaries)
	web.Read(r, web.Route{Method: get, Path: "/api/summaries/{id}", Name: "summary", Permission: access.SettlementsRead,
		Summary: "One bill that was sent: to whom, when, whether it arrived and was opened"}, oneSummary)
	web.Write(r, web.Route{Method: post, Path: "/api/summaries/{id}/retry", Name: "retry-summary", Mails: true,
		Permission: access.SettlementsWrite,
		Summary:    "Try a failed bill again"}, s.retrySummary)
	web.Write(r, web.Route{Method: post, Path: "/api/summaries/{id}/end-link", Name: "end-summary-link", Permission: access.SettlementsWrite,
		Summary: "Let the link of a bill open nothing any more"}, endSummary)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-summaries/{token}", Name: "driver-summary", Permission: access.Public,
		MissesPerMinute: 20,
		Summary:         "What a mailed link shows, without signing in"}, s.driverSummary)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-summaries/{token}/statement", Name: "linked-statement", Permission: access.Public,
		MissesPerMinute: 20, Page: summaryPage,
		Summary: "The statement of its settlement as a PDF, without signing in"}, s.linkedStatement)
	web.Plain(r, web.Route{Method: post, Path: "/api/driver-summaries/{token}/opened", Name: "open-driver-summary", Permission: access.Public,
		MissesPerMinute: 20, BodyLimit: 1 << 10,
		Summary: "The page says that a person has opened it"}, s.openDriverSummary)
	web.Plain(r, web.Route{Method: post, Path: "/api/driver-summaries/{token}/draft", Name: "answer-linked-draft", Permission: access.Public,
		MissesPerMinute: 20, BodyLimit: 4 << 10,
		Summary: "Approve or decline the invoice that the partner drew up, without signing in"}, s.answerLinked)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/settlements", Name: "driver-settlements", Permission: access.AccountRead,
		Personal: true,
		Summary:  "The driver's own settlements that the partner has shared"}, readAsDriver(s, s.driverSettlements))
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/settlements/{id}", Name: "driver-settlement",
		Permission: access.AccountRead, Personal: true,
		Summary: "One of them, explained"}, readAsDriver(s, s.driverSettlement))
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/settlements/{id}/statement", Name: "driver-statement",
		Permission: access.AccountRead, Personal: true,
		Summary: "Its statement as a PDF"}, s.driverStatement)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/documents/{id}", Name: "driver-document", Permission: access.AccountRead,
		Personal: true,
		Summary:  "A bill or invoice of one of them as a PDF"}, s.driverPDF)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/documents/{id}/xml", Name: "driver-document-file",
		Permission: access.AccountRead, Personal: true,
		Summary: "An invoice of one of them as machines read it"}, s.driverFile)
	web.Plain(r, web.Route{Method: post, Path: "/api/driver-accounts/settlements/{id}/draft", Name: "answer-draft",
		Permission: access.AccountWrite, Personal: true,
		Summary: "Approve or decline the invoice that the partner drew up; approved, it is issued"},
		writeAsDriver(s, "answer-draft", s.answerDraft))
	web.Plain(r, web.Route{Method: post, Path: "/api/driver-accounts/settlements/{id}/end-links", Name: "end-driver-links",
		Permission: access.AccountWrite, Personal: true,
		Summary: "Let no mailed link open it any more"}, writeAsDriver(s, "end-driver-links", endLinks))

	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts", Name: "driver-account", Permission: access.AccountRead, Personal: true,
		Summary: "The driver's own account"}, readAsDriver(s, s.driverAccount))
	web.Write(r, web.Route{Method: post, Path: "/api/driver-accounts", Name: "open-driver-account", Permission: access.AccountWrite,
		Personal: true,
		Status:   http.StatusCreated, Summary: "Fill in the account for the first time"}, s.openAccount)
	web.Plain(r, web.Route{Method: put, Path: "/api/driver-accounts", Name: "save-driver-account", Permission: access.AccountWrite,
		Personal: true,
		Summary:  "Change the account; a chosen partner sees changes of name, e-mail and phone"},
		writeAsDriver(s, "save-driver-account", s.saveAccount))
	web.Plain(r, web.Route{Method: del, Path: "/api/driver-accounts", Name: "close-driver-account", Fresh: true,
		Permission: access.AccountWrite, Personal: true,
		Summary: "Delete the account"}, writeAsDriver(s, "close-driver-account", closeAccount))
	web.Write(r, web.Route{Method: post, Path: "/api/driver-accounts/keycloak/{id}", Name: "link-driver-account",
		Permission: access.AccountWrite, Personal: true,
		Summary: "Make the account of the user who is signed in, and remember who brought them"}, linkAccount)
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/partners", Name: "partner-choices", Permission: access.AccountRead,
		Personal: true,
		Summary:  "Partners that a driver may choose"}, readAsDriver(s, s.partnerChoices))
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/partner-profile", Name: "partner-card", Permission: access.AccountRead,
		Personal: true,
		Summary:  "The chosen partner, as its drivers see it"}, readAsDriver(s, partnerCard))
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/settlement-frequency", Name: "driver-frequency",
		Permission: access.AccountRead, Personal: true,
		Summary: "How often the driver is settled"}, readAsDriver(s, frequency))
	web.Plain(r, web.Route{Method: put, Path: "/api/driver-accounts/settlement-frequency", Name: "set-driver-frequency",
		Permission: access.AccountWrite, Personal: true,
		Summary: "Choose how often to be settled"}, writeAsDriver(s, "set-driver-frequency", setFrequency))
	web.Plain(r, web.Route{Method: get, Path: "/api/driver-accounts/partner-settlement-frequency", Name: "partner-frequency",
		Permission: access.AccountRead, Personal: true,
		Summary: "How often the chosen partner settles"}, readAsDriver(s, partnerFrequency))
	web.Plain(r, web.Route{Method: post, Path: "/api/driver-accounts/partners/invites", Name: "invite-partner", Mails: true,
		Permission: access.AccountWrite, Personal: true,
		Summary: "Choose a partner, or invite one that is not here"}, writeAsDriver(s, "invite-partner", s.invitePartner))
	web.Plain(r, web.Route{Method: del, Path: "/api/driver-accounts/partners", Name: "leave-partner", Permission: access.AccountWrite,
		Personal: true,
		Summary:  "Leave the chosen partner"}, writeAsDriver(s, "leave-partner", leavePartner))

	web.Plain(r, web.Route{Method: get, Path: "/api/suggestions/cities", Name: "suggest-cities", Permission: access.LookupsRead,
		Summary: "Cities whose name begins with a text"}, s.suggestCities)
	web.Plain(r, web.Route{Method: get, Path: "/api/suggestions/dictionary", Name: "dictionary", Permission: access.LookupsRead,
		Summary: "What can be chosen in forms"}, dictionary)
	web.Plain(r, web.Route{Method: get, Path: "/api/providers", Name: "providers", Permission: access.LookupsRead,
		Summary: "Where earnings, costs and fuel come from"}, providers)
	web.Plain(r, web.Route{Method: get, Path: "/api/validate/pesel", Name: "validate-pesel", Permission: access.LookupsRead,
		Summary: "Whether a PESEL can be one"}, validatePesel)
	web.Plain(r, web.Route{Method: post, Path: "/api/validate/pesel", Name: "validate-pesel-body", Permission: access.LookupsRead,
		BodyLimit: 4 << 10,
		Summary:   "The same, with the number out of the address"}, validatePeselBody)

	web.Read(r, web.Route{Method: get, Path: "/api/jobs", Name: "jobs", Permission: access.JobsRead,
		Summary: "Work in the background: running, failed and lately done"}, recentJobs)
	web.Write(r, web.Route{Method: post, Path: "/api/jobs/{id}/retry", Name: "retry-job", Permission: access.JobsWrite,
		Summary: "Give a failed job new tries"}, retryJob)

	r.Handle("GET /identification/{code}/logo", s.logo())
}

// nothing is the input of an operation that asks for nothing.
type nothing struct{}

// named is the input of an operation on one object.
type named struct {
	ID string `path:"id" maxLength:"64"`
}
