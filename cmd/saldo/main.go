// Saldo settles, bills and pays the drivers of fleet partners.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	netmail "net/mail"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"saldo/internal/api"
	"saldo/internal/app"
	"saldo/internal/invoices/files"
	"saldo/internal/kernel/official"
	"saldo/internal/partners"
	"saldo/internal/platform/config"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
	"saldo/internal/platform/mail"
	"saldo/internal/platform/vault"
	"saldo/internal/platform/web"
)

type command struct {
	name, args, about string
	run               func(ctx context.Context, s config.Settings, args []string) error
}

var commands = []command{
	{"serve", "", "serve the application", serve},
	{"demo", "[--size SIZE]", "serve it with demo fleets, making a key file where none is; the size is small, large (10,000 drivers) or none",
		demo},
	{"migrate", "", "bring the database up to date and stop", migrate},
	{"move", "POSTGRES-URL [--mend]",
		"copy the SQLite database of the data folder to an empty PostgreSQL; --mend cleans texts that PostgreSQL cannot keep", move},
	{"key", "", "make the key file for data at rest", key},
	{"backup-key", "FILE", "make the key that opens backups and print the recipient that makes them", backupKey},
	{"backup", "TO", "make a backup while the application runs: a new file, or a new one in a folder", makeBackup},
	{"restore", "FROM KEY-FILE", "restore a backup into an empty place and verify it; the key of the instance must be there", restore},
	{"resume", "[send-mails|hold-mails]",
		"say what waits in an instance that was restored; let it go on and send the mails that waited, or hold them", resume},
	{"add-partner", "CODE NAME PERSON EMAIL", "make a partner with its first person and print the link that sets their password", addPartner},
	{"licences", "list|reconcile|refund [NUMBER AMOUNT UNITS REASON]",
		"list orders of licences; compare payments with the providers; give money of an order back, AMOUNT as 123.45 or all, UNITS too",
		licences},
	{"report", "list|check|add [FILE]", "list dedicated reports; check a definition; give one to all partners or those it names", report},
	{"grant", "CODE UNITS NOTE", "give a partner more settlements and note why", grant},
	{"partner", "feature CODE FEATURE on|off", "switch something on or off for a partner: fuel, logistics_menu or language_selector", feature},
	{"seal", "import CODE FILE.p12", "seal a partner's contracts with a seal that it bought; standard input: its password",
		importSeal},
	{"verify", "", "check what must always hold of every partner's settlements and name what does not", verify},
	{"repair", "totals", "compare the sums that statistics read with their rows, make them right and say what was wrong", repair},
	{"publish-terms", "VERSION FOLDER", "publish new terms from pl.md, en.md, de.md, uk.md and ru.md", publishTerms},
	{"activation-link", "EMAIL", "print a link with which this person sets a new password", activation},
	{"mail-test", "ADDRESS", "send a test mail with the mail settings", mailTest},
	{"read", "--json FILE [--tax-id ID] [--country PL|DE]",
		"print what an invoice says: fields, how sure they are and where they stand; the tax id is that of the buyer", read},
	{"openapi", "", "print the contract of the HTTP interface", openapi},
	{"version", "", "print the version", version},
}

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // little memory beside a large import; it costs a hundredth of the time
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "saldo:", strings.ReplaceAll(err.Error(), "\n", "; "))
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		help(os.Stdout)
		return nil
	}
	if args[0] == files.SandboxCommand {
		return files.Sandbox(ctx, os.Stdin, os.Stdout)
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		if !c.takes(len(args) - 1) {
			return fmt.Errorf("usage: saldo %s %s", c.name, c.args)
		}
		s, err := config.Read(os.LookupEnv)
		if err != nil && c.name != "read" { // which needs no settings
			return err
		}
		return c.run(ctx, s, args[1:])
	}
	return fmt.Errorf("there is no command %q: see saldo help", args[0])
}

func help(w io.Writer) {
	fmt.Fprintln(w, "Saldo settles, bills and pays the drivers of fleet partners.\n\nCommands:")
	for _, c := range commands {
		fmt.Fprintf(w, "  saldo %-36s %s\n", strings.TrimSpace(c.name+" "+c.args), c.about)
	}
	fmt.Fprintln(w, "\nSettings, from the environment:")
	for _, v := range config.Variables() {
		fmt.Fprintf(w, "  %-20s %s", v.Name, strings.ReplaceAll(v.Meaning, "`", ""))
		if v.Default != "" {
			fmt.Fprintf(w, " (%s)", v.Default)
		}
		fmt.Fprintln(w)
	}
}

func logger(s config.Settings) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return nil, fmt.Errorf("SALDO_LOG_LEVEL is %q: write debug, info, warn or error", s.LogLevel)
	}
	options := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options)), nil
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options)), nil
}

func open(ctx context.Context, s config.Settings) (*app.App, error) {
	log, err := logger(s)
	if err != nil {
		return nil, err
	}
	if s.Self, err = os.Executable(); err != nil {
		return nil, err
	}
	a, err := app.Open(ctx, s, log, nil)
	if err != nil {
		return nil, err
	}
	if err := app.UseTemp(s, time.Now()); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func serve(ctx context.Context, s config.Settings, _ []string) error {
	listener, err := app.Listen(ctx, &s, os.Getenv("SALDO_PUBLIC_URL") != "")
	if err != nil {
		return err
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	err = a.Serve(ctx, listener, func() { fmt.Printf("Saldo answers at %s/app/\n", s.PublicURL) })
	return errors.Join(err, a.Close())
}

func demo(ctx context.Context, s config.Settings, args []string) error {
	size := "small"
	if len(args) > 0 {
		size = args[1]
	}
	drivers, known := app.DemoSizes[size]
	if !known || len(args) > 0 && args[0] != "--size" {
		return errors.New("usage: saldo demo [--size SIZE], where the size is small, large or none")
	}
	s = s.AsDemo()
	if err := db.MakeFolder(s.Data); err != nil {
		return err
	}
	if s.Key == "" {
		if _, err := os.Stat(app.KeyFile(s)); errors.Is(err, os.ErrNotExist) {
			if err := vault.CreateKeyFile(app.KeyFile(s)); err != nil {
				return err
			}
		}
	}
	listener, err := app.Listen(ctx, &s, os.Getenv("SALDO_PUBLIC_URL") != "")
	if err != nil {
		return err
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	logins, err := a.Demo(ctx, drivers, func(made int) {
		if made < drivers {
			fmt.Printf("%d of %d drivers made\n", made, drivers)
		}
	})
	if err != nil {
		return errors.Join(err, a.Close())
	}
	err = a.Serve(ctx, listener, func() {
		fmt.Printf("\nSaldo answers at %s/app/\n\nSign in to the demo as\n", s.PublicURL)
		for _, l := range logins {
			fmt.Printf("  %-24s %-20s %s, %s of %s\n", l.Email, l.Password, l.Name, l.Role, l.Partner)
		}
		if s.Mailbox() {
			fmt.Printf("\nMails are kept at %s/mailbox/\n", s.PublicURL)
		}
		fmt.Println("Stop with Ctrl-C.")
	})
	return errors.Join(err, a.Close())
}

func migrate(ctx context.Context, s config.Settings, _ []string) error {
	d, err := db.Open(ctx, db.Settings{URL: s.DatabaseURL, Folder: s.Data})
	if err != nil {
		return err
	}
	fmt.Println("the database is up to date")
	return d.Close()
}

func move(ctx context.Context, s config.Settings, args []string) (err error) {
	if s.DatabaseURL != "" {
		return errors.New("SALDO_DATABASE_URL is set: leave it empty for the move, set it afterwards")
	}
	mend := len(args) == 2
	if mend && args[1] != "--mend" {
		return errors.New("usage: saldo move POSTGRES-URL [--mend]")
	}
	from, err := db.Open(ctx, db.Settings{Folder: s.Data})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if !mend {
		if err := db.Movable(ctx, from); err != nil {
			return unclean(err)
		}
	}
	to, err := db.Open(ctx, db.Settings{URL: args[0]})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	moved, err := db.Move(ctx, from, to, mend)
	if err != nil {
		return unclean(err)
	}
	for _, m := range moved {
		fmt.Printf("%-20s %d rows", m.Table, m.Rows)
		if m.Mended > 0 {
			fmt.Printf(", %d texts mended", m.Mended)
		}
		fmt.Println()
	}
	fmt.Println("copied: set SALDO_DATABASE_URL to that address and start again")
	return nil
}

// unclean names the texts that cannot be moved, each on a line, and says what to do.
func unclean(err error) error {
	var found *db.UncleanError
	if !errors.As(err, &found) {
		return err
	}
	for _, text := range found.Texts {
		fmt.Println(text)
	}
	if more := found.Count - len(found.Texts); more > 0 {
		fmt.Printf("and %d more\n", more)
	}
	return fmt.Errorf("%w; correct them in Saldo, or move with saldo move POSTGRES-URL --mend: "+
		"it leaves NUL out and writes \uFFFD for bytes that are no text, in the copy alone", err)
}

func key(_ context.Context, s config.Settings, _ []string) error {
	if err := vault.CreateKeyFile(app.KeyFile(s)); err != nil {
		return err
	}
	fmt.Println("made", app.KeyFile(s), "— keep a copy apart from the backups: without it sealed data is lost")
	return nil
}

func addPartner(ctx context.Context, s config.Settings, args []string) error {
	email, err := official.ParseEmail(args[3])
	if err != nil {
		return fmt.Errorf("%q is not an e-mail address", args[3])
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	link, err := a.AddPartner(ctx, args[0], args[1], args[2], string(email))
	if err != nil {
		return err
	}
	fmt.Println(args[0], link)
	return nil
}

func grant(ctx context.Context, s config.Settings, args []string) error {
	units, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil || units < 1 || units > 10_000_000 {
		return fmt.Errorf("%q is no number of settlements: write 1 to 10000000", args[1])
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	left, err := a.Grant(ctx, args[0], units, args[2])
	if err != nil {
		return err
	}
	fmt.Printf("%s has %d settlements left\n", args[0], left)
	return nil
}

func feature(ctx context.Context, s config.Settings, args []string) error {
	if args[0] != "feature" || args[3] != "on" && args[3] != "off" {
		return errors.New("usage: saldo partner feature CODE FEATURE on|off")
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.SetFeature(ctx, args[1], partners.Feature(args[2]), args[3] == "on"); err != nil {
		return err
	}
	fmt.Printf("%s is %s for %s\n", args[2], args[3], args[1])
	return nil
}

func importSeal(ctx context.Context, s config.Settings, args []string) error {
	if args[0] != "import" {
		return fmt.Errorf("usage: saldo seal import CODE FILE.p12")
	}
	file, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "Password of the file:")
	password, err := bufio.NewReader(io.LimitReader(os.Stdin, 1000)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	name, until, err := a.ImportSeal(ctx, args[1], file, strings.TrimRight(password, "\r\n"))
	if err != nil {
		return err
	}
	fmt.Printf("contracts of %s are sealed as %q until %s\n", args[1], name, until.Format(time.DateOnly))
	return nil
}

func verify(ctx context.Context, s config.Settings, _ []string) error {
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	wrong := 0
	if err := a.Verify(ctx, func(v app.Verified) {
		fmt.Printf("%-20s %d settlements, %d contract files, %d problems\n", v.Partner, v.Settlements, v.ContractFiles, len(v.Problems))
		for _, p := range v.Problems {
			fmt.Println("  ", p)
		}
		wrong += len(v.Problems)
	}); err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%d problems: nothing was changed; keep a copy of the database and ask for help with this list", wrong)
	}
	return nil
}

func repair(ctx context.Context, s config.Settings, args []string) error {
	if args[0] != "totals" {
		return fmt.Errorf("only totals can be repaired, not %q", args[0])
	}
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	return a.RepairTotals(ctx, func(v app.Verified) {
		fmt.Printf("%-20s %d sums repaired\n", v.Partner, len(v.Problems))
		for _, p := range v.Problems {
			fmt.Println("  ", p)
		}
	})
}

func publishTerms(ctx context.Context, s config.Settings, args []string) error {
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.PublishTerms(ctx, args[0], os.DirFS(args[1])); err != nil {
		return err
	}
	fmt.Println("published: every partner is asked to accept them")
	return nil
}

func activation(ctx context.Context, s config.Settings, args []string) error {
	a, err := open(ctx, s)
	if err != nil {
		return err
	}
	defer a.Close()
	link, err := a.Activation(ctx, args[0])
	if err != nil {
		return err
	}
	fmt.Println(link)
	return nil
}

func mailTest(ctx context.Context, s config.Settings, args []string) error {
	to, err := netmail.ParseAddress(args[0])
	if err != nil {
		return fmt.Errorf("%q is not an e-mail address", args[0])
	}
	from, err := s.From()
	if err != nil {
		return err
	}
	sender, err := mail.Open(s.SMTPURL, s.MailFolder())
	if err != nil {
		return err
	}
	language := i18n.Language(s.Instance.Language)
	err = sender.Send(ctx, mail.Delivery{ID: uuid.NewString(), From: from, To: *to, Language: s.Instance.Language,
		Subject: i18n.Of(language, "mail:test.subject"), Text: i18n.Of(language, "mail:test.body", "instance", cmp.Or(from.Name, "Saldo"))})
	if err != nil {
		return err
	}
	fmt.Println("the mail was taken")
	return nil
}

func openapi(context.Context, config.Settings, []string) error {
	r := app.Routes(web.Settings{Log: slog.Default(), Metrics: prometheus.NewRegistry()}, api.Settings{})
	contract, err := r.Contract()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(contract)
	return err
}

func version(context.Context, config.Settings, []string) error {
	fmt.Println(app.Version)
	return nil
}
