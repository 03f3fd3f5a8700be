// Package app puts the parts together: settings, database, routes, jobs; and
// runs them until it is told to stop.
package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"saldo/internal/accounts"
	"saldo/internal/api"
	"saldo/internal/app/backups"
	"saldo/internal/billing"
	"saldo/internal/connections"
	"saldo/internal/contracts"
	"saldo/internal/deliveries"
	"saldo/internal/documents"
	"saldo/internal/drivers"
	"saldo/internal/feeds"
	"saldo/internal/identity"
	"saldo/internal/identity/idp"
	"saldo/internal/imports"
	"saldo/internal/imports/providers"
	"saldo/internal/invoices"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/access"
	"saldo/internal/ksef/availability"
	"saldo/internal/ksef/login"
	"saldo/internal/ksef/renewal"
	"saldo/internal/ksef/sending"
	"saldo/internal/licences/orders"
	"saldo/internal/licences/payments/sandbox"
	"saldo/internal/messages"
	"saldo/internal/messages/push"
	"saldo/internal/messages/sms"
	"saldo/internal/pack"
	"saldo/internal/payouts"
	"saldo/internal/platform/blob"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/drive"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/jobs"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/outbound"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
	"saldo/internal/purchases"
	"saldo/internal/reports/dedicated"
	"saldo/internal/settlements"
	"saldo/internal/summaries"
	"saldo/internal/tracking"
	"saldo/ui"
)

// Version is set when the binary is built.
var Version = "dev"

// App is an opened program that does not serve yet.
type App struct {
	settings    config.Settings
	log         *slog.Logger
	db          *db.DB
	vault       *vault.Vault
	blobs       blob.Store
	provider    provider
	mails       *mail.Queue
	imports     *imports.Service
	settlements *settlements.Service
	payouts     *payouts.Service
	billing     *billing.Service
	summaries   *summaries.Service
	messages    *messages.Service
	push        *push.Service
	invoices    *invoices.Service
	contracts   *contracts.Service
	documents   *documents.Service
	tracking    *tracking.Service
	licences    *orders.Service
	reports     *dedicated.Service
	packages    []orders.Package
	connections *connections.Service
	deliveries  *deliveries.Service
	feeds       *feeds.Service
	packs       *pack.Service
	signIn      *login.Service
	renewal     *renewal.Service
	purchases   *purchases.Service
	sending     *sending.Service

	ksefAvailable *availability.Service
	sandbox       *sandbox.Sandbox // nil: licences are not paid there
	queue         *jobs.Queue
	metrics       *prometheus.Registry
	stopping      atomic.Bool
}

// KeyFile is where the key is read from when it is not in the environment.
func KeyFile(s config.Settings) string {
	if s.KeyFile != "" {
		return s.KeyFile
	}
	return filepath.Join(s.Data, "saldo.key")
}

// Open opens everything that can fail before the first request, so that a
// wrong setting stops the start with one sentence. clock is for tests; nil is
// the wall clock.
func Open(ctx context.Context, s config.Settings, log *slog.Logger, clock func() time.Time) (*App, error) {
	from, err := s.From()
	if err != nil {
		return nil, err
	}
	if err := s.Payable(); err != nil {
		return nil, err
	}
	if err := db.MakeFolder(s.Data); err != nil {
		return nil, err
	}
	key, err := vault.LoadKey(s.Key, KeyFile(s))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no key at %s: run saldo key to make one, or set SALDO_KEY or SALDO_KEY_FILE to the key of this database",
			KeyFile(s))
	}
	if err != nil {
		return nil, fmt.Errorf("SALDO_KEY or its file: %w", err)
	}
	v, err := vault.Open(key)
	if err != nil {
		return nil, err
	}
	a := &App{settings: s, log: log, vault: v, metrics: prometheus.NewRegistry()}
	if a.db, err = db.Open(ctx, db.Settings{URL: s.DatabaseURL, Folder: s.Data, Clock: clock}); err != nil {
		return nil, err
	}
	if err := a.db.Write(ctx, access.Program("profiles"), accounts.KeyProfiles); err != nil {
		return nil, errors.Join(err, a.db.Close())
	}
	if err := a.parts(ctx, v, from); err != nil {
		return nil, errors.Join(err, a.db.Close())
	}
	return a, nil
}

func (a *App) parts(ctx context.Context, v *vault.Vault, from mail.Address) (err error) {
	s := a.settings
	if a.blobs, err = blob.Open(s.BlobURL, filepath.Join(s.Data, "files"), v); err != nil {
		return fmt.Errorf("SALDO_BLOB_URL: %w", err)
	}
	sender, err := mail.Open(s.SMTPURL, a.settings.MailFolder())
	if err != nil {
		return fmt.Errorf("SALDO_SMTP_URL: %w", err)
	}
	a.mails = mail.NewQueue(v, sender, from).At(s.PublicURL).Within(mail.Quota{PerDay: s.MailsPerDay, PerAddress: s.MailsPerAddress})
	if a.provider, err = openProvider(ctx, s, a.db, v, a.mails, a.log); err != nil {
		return err
	}
	a.imports = &imports.Service{DB: a.db, Blobs: a.blobs, Instance: s.Instance, Layouts: providers.Layouts()}
	a.queue = jobs.NewQueue(a.db, a.log)
	if err := a.selling(); err != nil {
		return err
	}
	a.connections = &connections.Service{DB: a.db, Vault: v, Mails: a.mails, PublicURL: s.PublicURL,
		Instance: s.Instance, Allowed: outbound.Public, Trust: &tls.Config{RootCAs: s.ServicesTrust},
		Google: drive.GoogleApp{ID: s.GoogleDriveID, Secret: s.GoogleDriveSecret}, FuelURL: s.FuelURL}
	if s.ServicesPrivate {
		a.connections.Allowed = func(netip.AddrPort) bool { return true }
	}
	a.signIn, a.ksefAvailable = a.signingIn(), a.announced()
	a.ksefAvailable.Handle(a.queue)
	a.settlements = &settlements.Service{Instance: s.Instance, Imports: a.imports}
	a.payouts = &payouts.Service{Instance: s.Instance, Vault: v, Settlements: a.settlements}
	a.billing = &billing.Service{Instance: s.Instance, Vault: v, Settlements: a.settlements}
	a.settlements.AfterRevoke, a.payouts.Invoices = a.billing.CorrectRevoked, billing.UnpaidInvoices
	a.billing.KSeF = a.signIn.Env
	a.sending = &sending.Service{DB: a.db, Vault: v, Blobs: a.blobs, Billing: a.billing, Login: a.signIn, Log: a.log,
		Announced: a.ksefAvailable}
	a.sending.Handle(a.queue)
	a.renewal = &renewal.Service{DB: a.db, Vault: v, Login: a.signIn, Billing: a.billing, Log: a.log}
	a.renewal.Handle(a.queue)
	a.queue.Handle(billing.ApproveKind, a.billing.ApproveTacit)
	a.purchases = &purchases.Service{DB: a.db, Blobs: a.blobs, Vault: v, KSeF: a.signIn, Instance: s.Instance, Log: a.log,
		Mails: a.mails, PublicURL: s.PublicURL}
	a.purchases.Handle(a.queue)
	a.packs = &pack.Service{DB: a.db, Blobs: a.blobs, Billing: a.billing, Instance: s.Instance, Log: a.log}
	a.packs.Handle(a.queue)
	a.reports = &dedicated.Service{DB: a.db, Instance: s.Instance, Mails: a.mails, PublicURL: s.PublicURL}
	a.deliveries = &deliveries.Service{DB: a.db, Blobs: a.blobs, Connections: a.connections, Billing: a.billing, Reports: a.reports,
		Instance: s.Instance, Log: a.log}
	a.reports.Delivered = a.deliveries.Report
	a.deliveries.Handle(a.queue)
	a.feeds = &feeds.Service{DB: a.db, Imports: a.imports, Connections: a.connections, Instance: s.Instance, Log: a.log}
	a.feeds.Handle(a.queue)
	contact := s.PublicURL
	if !strings.HasPrefix(contact, "https:") {
		contact = from.Address
	}
	a.push = push.New(a.db, v, contact)
	a.summaries = &summaries.Service{Mails: a.mails, Instance: s.Instance, PublicURL: s.PublicURL, Log: a.log}
	a.summaries.Statement = a.operations().MailedStatement
	a.queue.Handle(summaries.SendKind, a.summaries.Send)
	a.messages = &messages.Service{Mails: a.mails, Push: a.push, Vault: v, Payouts: summaries.SharedPayouts, Instance: s.Instance,
		PublicURL: s.PublicURL, Gateways: messages.Gateways{SMSAPI: sms.SMSAPIAddress, Twilio: sms.TwilioAddress}}
	a.queue.Handle(messages.SendKind, a.messages.Send)
	a.queue.Handle(messages.PushKind, a.messages.Remind)
	a.queue.Handle(messages.SMSKind, a.messages.SendSMS)
	a.queue.OnFailure(messages.SMSKind, messages.OnSMSFailure)
	a.queue.Handle(imports.AnalyzeKind, a.imports.Analyze)
	a.queue.Handle(imports.ConfirmKind, a.imports.Import)
	a.queue.OnFailure(imports.AnalyzeKind, imports.OnFailure)
	a.queue.OnFailure(imports.ConfirmKind, imports.OnFailure)
	a.queue.Handle(imports.RemoveKind, a.imports.TakeBack)
	a.queue.Handle(imports.SweepKind, a.imports.Sweep)
	a.queue.Handle(settlements.SettleKind, a.settlements.Settle)
	a.queue.Handle(mail.SendKind, a.mails.Deliver)
	a.queue.OnFailure(mail.SendKind, mail.OnFailure)
	a.invoices = &invoices.Service{DB: a.db, Blobs: a.blobs, Instance: s.Instance,
		Reader: files.New(files.Options{Reader: s.Reader, Self: s.Self, Cache: compiled(s.Data)})}
	a.queue.Handle(invoices.ReadKind, a.invoices.Read)
	a.queue.OnFailure(invoices.ReadKind, a.invoices.OnReadFailure)
	a.queue.Alone(invoices.ReadKind) // a picture takes half a gigabyte while it is read
	a.queue.Handle(invoices.SweepKind, a.invoices.Sweep)
	a.queue.Every(time.Hour, invoices.SweepKind, jobs.Order{Kind: invoices.SweepKind, Key: "sweep"})
	a.contracts = &contracts.Service{DB: a.db, Blobs: a.blobs, Vault: v, Instance: s.Instance, PublicURL: s.PublicURL, Stamps: s.StampsURL,
		Drivers: drivers.Service{Vault: v, Post: a.mails, Country: strings.ToUpper(s.Instance.Code),
			Language: i18n.Language(s.Instance.Language)}, Reader: a.invoices.Reader}
	a.queue.Handle(contracts.SealKind, a.contracts.Seal)
	a.queue.Handle(contracts.EraseKind, a.contracts.Erase)
	a.queue.Handle(contracts.SweepKind, a.contracts.Sweep)
	a.queue.Every(time.Hour, contracts.SweepKind, jobs.Order{Kind: contracts.SweepKind, Key: "sweep"})
	a.documents = &documents.Service{DB: a.db, Blobs: a.blobs, Vault: v, Instance: s.Instance, Reader: a.invoices.Reader}
	a.settlements.Documents = a.documents.Warned
	a.tracking = &tracking.Service{DB: a.db, Blobs: a.blobs, Instance: s.Instance, Reader: a.invoices.Reader}
	a.queue.Handle(tracking.SweepKind, a.tracking.Sweep)
	a.queue.Every(time.Hour, tracking.SweepKind, jobs.Order{Kind: tracking.SweepKind, Key: "sweep"})
	a.queue.Handle(documents.RemindKind, a.documents.Remind)
	a.queue.Handle(documents.SweepKind, a.documents.Sweep)
	a.queue.Every(time.Hour, documents.RemindKind, jobs.Order{Kind: documents.RemindKind, Key: "remind"})
	a.queue.Every(time.Hour, documents.SweepKind, jobs.Order{Kind: documents.SweepKind, Key: "sweep"})
	a.queue.Handle(dedicated.DueKind, a.reports.Due)
	a.queue.Handle(dedicated.SendKind, a.reports.Send)
	a.queue.Alone(dedicated.SendKind)
	a.queue.Every(dedicated.DueEvery, dedicated.DueKind, jobs.Order{Kind: dedicated.DueKind, Key: "due"})
	a.mails.Attach(a.attach)
	a.queue.Handle(sweepKind, a.sweep)
	a.queue.Handle(totalsKind, a.checkTotals)
	a.queue.Every(24*time.Hour, totalsKind, jobs.Order{Kind: totalsKind, Key: "totals"})
	if own := a.provider.embedded; own != nil {
		a.queue.Handle(idp.ResetKind, own.SendReset)
	}
	a.queue.Handle(sealKind, sealing{a.blobs, v.Current(), a.log}.handle)
	a.queue.Handle(identity.ForgetKind, forget(a.provider.admin))
	a.queue.Handle(identity.ActivateKind,
		activate(a.provider.admin, v, a.provider.verifier.Provider, a.wayIn(), s.Instance.Language))
	a.queue.Handle(identity.PersonKind,
		people{a.provider.admin, a.provider.verifier.Provider, s.Instance.Language, a.wayIn()}.handle)
	a.queue.OnFailure(identity.PersonKind, identity.OnPersonFailure)
	a.queue.Every(time.Hour, "sweep", jobs.Order{Kind: sweepKind, Key: "sweep"})
	a.queue.Every(time.Hour, "seal files", jobs.Order{Kind: sealKind, Key: "seal"})
	a.queue.Every(time.Hour, billing.ApproveKind, jobs.Order{Kind: billing.ApproveKind, Key: "sweep"})
	a.queue.Every(time.Hour, imports.SweepKind, jobs.Order{Kind: imports.SweepKind, Key: "sweep"})
	a.metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), jobCount{a.db})
	return nil
}

// compiled is the folder for code that is compiled once and used by every later start, or nothing where it cannot be made.
func compiled(data string) string {
	folder := filepath.Join(data, "compiled")
	if db.MakeFolder(folder) != nil {
		return ""
	}
	return folder
}

// Close lets go of the database.
func (a *App) Close() error {
	a.invoices.Reader.Close()
	return a.db.Close()
}

// DB is the open database.
func (a *App) DB() *db.DB { return a.db }

func (a *App) operations() api.Settings {
	return api.Settings{DB: a.db, Blobs: a.blobs, Vault: a.vault, Instance: a.settings.Instance, Identity: a.settings.Identity,
		Version: Version, Mails: a.mails, Imports: a.imports, Settlements: a.settlements, Payouts: a.payouts, Billing: a.billing,
		Summaries: a.summaries, Messages: a.messages, Push: a.push, Invoices: a.invoices, Documents: a.documents, Tracking: a.tracking,
		Contracts: a.contracts, Connections: a.connections, Feeds: a.feeds, KSeF: a.signIn, Renewal: a.renewal,
		Sending: a.sending, Purchases: a.purchases, KSeFAvailable: a.ksefAvailable,
		Packs: a.packs, Reports: a.reports, Licences: a.licences,
		LicenceInvoices: a.licences.Invoices,
		PublicURL:       a.settings.PublicURL}
}

// Router has every route of the program.
func (a *App) Router() (*web.Router, error) {
	operations := a.operations()
	r := Routes(web.Settings{DB: a.db, Log: a.log, Metrics: a.metrics, Secure: a.settings.Secure(), SignIn: a.settings.Identity.Elsewhere(),
		Proxies:      a.settings.Proxies,
		Authenticate: identity.Authenticate(a.db, a.provider.verifier)},
		operations)
	built, err := fs.Sub(ui.Dist, "dist/app")
	if err != nil {
		return nil, err
	}
	application, err := web.App("/app/", built)
	if err != nil {
		return nil, err
	}
	r.Handle("/app/", application)
	shell, err := web.ShellOf(built, "driver-summary.html")
	if err != nil {
		return nil, err
	}
	r.Page("GET /app/driver-summary/{token}", 20, operations.SummaryPage(shell))
	from, err := a.settings.From()
	if err != nil {
		return nil, err
	}
	explained, err := about(i18n.Language(a.settings.Instance.Language), from)
	if err != nil {
		return nil, err
	}
	r.Handle("GET /about", explained)
	stop, err := a.unsubscribe()
	if err != nil {
		return nil, err
	}
	r.Page("GET /unsubscribe/{token}", 20, stop)
	r.Page("POST /unsubscribe/{token}", 20, stop)
	if a.sandbox != nil {
		r.Page("GET "+sandbox.Path, 20, a.sandbox.Page)
		r.Page("POST "+sandbox.Path, 20, a.sandbox.Page)
	}
	r.Handle("/{$}", http.RedirectHandler("/app/", http.StatusFound))
	r.Handle("GET /healthz", web.Health())
	r.Handle("GET /readyz", a.provider.waits(r.Ready(a.stopping.Load, func() bool { return hasRoom(a.settings.Data) })))
	a.provider.routes(r)
	if a.settings.Mailbox() {
		r.Handle("/mailbox/", onThisMachine(http.StripPrefix("/mailbox", mail.Mailbox(a.settings.MailFolder()))))
	} else if a.settings.SMTPURL == "" {
		a.log.Warn("mails are kept in a folder and sent to nobody: set SALDO_SMTP_URL", "folder", a.settings.MailFolder())
	}
	return r, nil
}

// onThisMachine serves only who asks for this machine by a name of its own: a
// page of another site that has been made to resolve to it is not one.
func onThisMachine(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
		host := rq.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !config.Local(host) {
			http.NotFound(w, rq)
			return
		}
		next.ServeHTTP(w, rq)
	})
}

// Routes makes a router with every operation, for serving and for the contract.
func Routes(s web.Settings, operations api.Settings) *web.Router {
	r := web.NewRouter(s)
	api.Register(r, operations)
	return r
}

// Serve answers on the listener and works until ctx ends, then finishes what runs. started is called once requests are answered.
func (a *App) Serve(ctx context.Context, listener net.Listener, started func()) error {
	if err := a.db.Read(ctx, access.Program("serve"), backups.Running); err != nil {
		return err
	}
	router, err := a.Router()
	if err != nil {
		return err
	}
	if a.settings.DatabaseURL == "" {
		leave, err := alone(a.settings.Data)
		if err != nil {
			return err
		}
		defer leave()
	}
	if err := a.Offer(ctx); err != nil {
		return err
	}
	server := &http.Server{Handler: router.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn)}
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(web.Connections(listener, a.settings.Proxies)) }()
	metrics := &http.Server{Handler: promhttp.HandlerFor(a.metrics, promhttp.HandlerOpts{}), ReadHeaderTimeout: 10 * time.Second}
	if a.settings.MetricsAddr != "" {
		aside, err := listen(ctx, a.settings.MetricsAddr, "SALDO_METRICS_ADDR")
		if err != nil {
			return errors.Join(err, server.Close())
		}
		a.log.Info("metrics", "address", aside.Addr().String())
		go func() { failed <- metrics.Serve(aside) }()
	}
	working, stopWorking := context.WithCancel(ctx)
	worked := make(chan struct{})
	go func() { defer close(worked); a.queue.Run(working, a.settings.Workers) }()
	go a.provider.run(working)
	started()

	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	a.stopping.Store(true)
	a.log.Info("stopping")
	stopWorking()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err = errors.Join(err, server.Shutdown(grace), metrics.Shutdown(grace))
	<-worked
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
