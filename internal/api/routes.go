// Package api is the HTTP surface: one file for each area with its routes, their shapes in JSON and what they call.
package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/billing"
	"saldo/internal/connections"
	"saldo/internal/contracts"
	"saldo/internal/documents"
	"saldo/internal/feeds"
	"saldo/internal/imports"
	"saldo/internal/invoices"
	"saldo/internal/ksef/availability"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/renewal"
	"saldo/internal/ksef/sending"
	"saldo/internal/licences/invoicing"
	"saldo/internal/licences/orders"
	"saldo/internal/messages"
	"saldo/internal/messages/push"
	"saldo/internal/pack"
	"saldo/internal/payouts"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
	"saldo/internal/purchases"
	"saldo/internal/reports/dedicated"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
	"saldo/internal/tracking"
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
	Messages    *messages.Service
	Push        *push.Service
	Invoices    *invoices.Service
	Contracts   *contracts.Service
	Documents   *documents.Service
	Tracking    *tracking.Service
	Licences    *orders.Service
	Connections *connections.Service
	Feeds       *feeds.Service
	KSeF        *login.Service
	Renewal     *renewal.Service
	Sending     *sending.Service
	Reports     *dedicated.Service
	Packs       *pack.Service
	Purchases   *purchases.Service

	KSeFAvailable *availability.Service

	LicenceInvoices *invoicing.Service

	PublicURL string // what links in mails begin with
}

const get, post, put, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete

// Register adds every operation to the router. The routes of an area are at the top of its file.
func Register(r *web.Router, s Settings) {
	s.tenancyRoutes(r)
	s.termsRoutes(r)
	s.partnerRoutes(r)
	s.peopleRoutes(r)
	s.connectionsRoutes(r)
	s.fleetRoutes(r)
	s.driversRoutes(r)
	s.placesRoutes(r)
	s.driverExportRoutes(r)
	s.mergesRoutes(r)
	s.profilesRoutes(r)
	s.schemasRoutes(r)
	s.transactionsRoutes(r)
	s.importsRoutes(r)
	s.coverageRoutes(r)
	s.importPreviewRoutes(r)
	s.mappingsRoutes(r)
	s.rememberedTypesRoutes(r)
	s.unmatchedRoutes(r)
	s.searchRoutes(r)
	s.overviewRoutes(r)
	s.pendingRoutes(r)
	s.settlementRunsRoutes(r)
	s.settlementsRoutes(r)
	s.reportsRoutes(r)
	s.statsRoutes(r)
	s.dedicatedReportsRoutes(r)
	s.settlementExplainedRoutes(r)
	s.timelineRoutes(r)
	s.fuelRoutes(r)
	s.billingRoutes(r)
	s.registerRoutes(r)
	s.packsRoutes(r)
	s.purchasesRoutes(r)
	s.approvalRoutes(r)
	s.payoutsRoutes(r)
	s.bankStatementsRoutes(r)
	s.summariesRoutes(r)
	s.messagesRoutes(r)
	s.smsRoutes(r)
	s.questionsRoutes(r)
	s.invoiceImagesRoutes(r)
	s.contractsRoutes(r)
	s.driverDocumentsRoutes(r)
	s.trackingRoutes(r)
	s.invitationsRoutes(r)
	s.accountsRoutes(r)
	s.pushRoutes(r)
	s.lookupsRoutes(r)
	s.jobsRoutes(r)
	s.licencesRoutes(r)
	s.licenceFilesRoutes(r)
	r.Handle("GET /identification/{code}/logo", s.logo())
	r.Handle("GET /identification/{code}/manifest", s.manifest())
	r.Handle("GET "+connections.GoogleBack, s.googleBack())
}

// oneOf is a text that is one of some values.
func oneOf(values ...string) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, v)
	}
	return s
}

// nothing is the input of an operation that asks for nothing.
type nothing struct{}

// named is the input of an operation on one object.
type named struct {
	ID string `path:"id" maxLength:"64"`
}
