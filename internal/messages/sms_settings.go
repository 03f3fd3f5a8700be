package messages

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/validate"
	"saldo/internal/messages/sms"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
)

var (
	// ErrSMSOff is the answer to an SMS of a partner who has not turned them on.
	ErrSMSOff = fault.Declare(fault.Conflict, "messages.sms_off")
	// ErrSMSCap is the answer to more parts than a month has left.
	ErrSMSCap = fault.Declare(fault.Conflict, "messages.sms_cap")
	// ErrSMSTooLong is the answer to a text that no provider would send.
	ErrSMSTooLong = fault.Declare(fault.Conflict, "messages.sms_too_long")
	// ErrSMSReport is the answer to a report that is not from the partner's provider.
	ErrSMSReport = fault.Declare(fault.Forbidden, "messages.sms_report")
)

// The providers of SMS.
const (
	SMSAPI = "smsapi"
	Twilio = "twilio"
)

// MonthParts is how many parts a partner may send in a month unless they decide otherwise.
const MonthParts = 500

// Limits of settings.
const (
	monthPartsMost = 1_000_000
	partCostMost   = 10_000
	tokenMost      = 200
	purposeOfSMS   = "sms credentials"
	purposeOfText  = "sms text"
)

// Gateways says where providers answer. Trust is for tests; nil: the certificates of the system.
type Gateways struct {
	SMSAPI, Twilio string
	Trust          *tls.Config
}

// SMSSettings are how a partner sends SMS. The credentials are not among them.
type SMSSettings struct {
	Provider, Sender     string
	PartCost, MonthParts int64
	On                   bool // there are credentials
	ChangedAt            time.Time
	ChangedBy            string
}

// SMSChange is what a partner sets. Without a token the one that is there stays.
type SMSChange struct {
	Provider, Sender     string
	Account, Token       string // the account is Twilio's SID
	PartCost, MonthParts int64
}

// credentials are what is sealed.
type credentials struct{ Account, Token, ReportSecret string }

type smsRow struct {
	Provider, Sender      string
	PartCost, MonthParts  int64
	Sealed, CredentialsID string
	ReportHash            string
	ChangedAt             time.Time
	ChangedBy             string
}

func (r *smsRow) on() bool { return r.Sealed != "" }

const smsSettingsQuery = `SELECT provider, sender, part_cost, month_parts, sealed, credentials_id, report_hash, changed_at, changed_by
	FROM sms_settings WHERE tenant_id = $1`

// smsSettings are the partner's; where there are none SMS are off.
func smsSettings(tx *db.Tx) (smsRow, error) {
	row, err := db.One[smsRow](tx, smsSettingsQuery)
	if errors.Is(err, db.ErrNone) {
		return smsRow{Provider: SMSAPI, MonthParts: MonthParts}, nil
	}
	return row, err
}

// SMSSettingsOf are the partner's, and how many parts of the current month are reserved or sent.
func (s *Service) SMSSettingsOf(tx *db.Tx) (settings SMSSettings, used int64, err error) {
	row, err := smsSettings(tx)
	if err != nil {
		return settings, 0, err
	}
	used, err = usedParts(tx, s.monthOf(tx.Now))
	return SMSSettings{row.Provider, row.Sender, row.PartCost, row.MonthParts, row.on(), row.ChangedAt, row.ChangedBy}, used, err
}

var (
	twilioSID    = regexp.MustCompile(`^AC[0-9a-fA-F]{32}$`)
	smsAPISender = regexp.MustCompile(`^[A-Za-z0-9 ._-]{0,11}$`)
	twilioSender = regexp.MustCompile(`^(\+[1-9][0-9]{7,14}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{1,11})$`)
	tokenForm    = regexp.MustCompile(`^[!-~]{8,200}$`)
)

func (c SMSChange) checked(before *smsRow) (SMSChange, error) {
	f := validate.New(ErrInvalid)
	c.Provider = f.OneOf("provider", c.Provider, []string{SMSAPI, Twilio})
	c.Sender, c.Account, c.Token = strings.TrimSpace(c.Sender), strings.TrimSpace(c.Account), strings.TrimSpace(c.Token)
	senders := smsAPISender
	if c.Provider == Twilio {
		senders = twilioSender
	}
	switch {
	case c.Provider == Twilio && c.Sender == "":
		f.Wrong("sender", fault.Required)
	case !senders.MatchString(c.Sender):
		f.Wrong("sender", fault.WrongFormat)
	}
	switch {
	case c.Token == "" && (!before.on() || before.Provider != c.Provider || c.Account != ""):
		f.Wrong("token", fault.Required)
	case c.Token != "" && !tokenForm.MatchString(c.Token):
		f.Wrong("token", fault.WrongFormat)
	}
	if c.Provider == Twilio && c.Token != "" && !twilioSID.MatchString(c.Account) {
		f.Wrong("account", fault.WrongFormat)
	}
	if c.PartCost < 0 || c.PartCost > partCostMost {
		f.Wrong("partCost", fault.TooBig, "max", fmt.Sprint(partCostMost))
	}
	if c.MonthParts < 0 || c.MonthParts > monthPartsMost {
		f.Wrong("monthParts", fault.TooBig, "max", fmt.Sprint(monthPartsMost))
	}
	return c, f.Err()
}

// SetSMS keeps how the partner sends SMS and turns them on. What was perhaps sent with other credentials is asked for no more: nobody can
// know what became of it.
func (s *Service) SetSMS(tx *db.Tx, c SMSChange) error {
	before, err := smsSettings(tx)
	if err != nil {
		return err
	}
	if c, err = c.checked(&before); err != nil {
		return err
	}
	after := before
	after.Provider, after.Sender, after.PartCost, after.MonthParts = c.Provider, c.Sender, c.PartCost, c.MonthParts
	if c.Token != "" {
		if err := s.seal(tx, &before, &after, c); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`INSERT INTO sms_settings (tenant_id, provider, sender, part_cost, month_parts, sealed, credentials_id, report_hash,
		changed_at, changed_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (tenant_id) DO UPDATE SET provider = excluded.provider, sender = excluded.sender, part_cost = excluded.part_cost,
		month_parts = excluded.month_parts, sealed = excluded.sealed, credentials_id = excluded.credentials_id,
		report_hash = excluded.report_hash, changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
		after.Provider, after.Sender, after.PartCost, after.MonthParts, after.Sealed, after.CredentialsID, after.ReportHash, tx.Now,
		tx.Actor.Name); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "messages.sms_settings", Kind: "partner", ID: tx.Actor.Tenant,
		Before: auditView(&before, false), After: auditView(&after, c.Token != "")})
}

// auditView is what the trail says of settings: no secret.
func auditView(r *smsRow, credentials bool) map[string]any {
	return map[string]any{"provider": r.Provider, "sender": r.Sender, "part_cost": r.PartCost, "month_parts": r.MonthParts, "on": r.on(),
		"new_credentials": credentials}
}

// seal puts new credentials in the place of the ones before. While the provider stays, so does the secret of report addresses: what was
// sent is still told of.
func (s *Service) seal(tx *db.Tx, before, after *smsRow, c SMSChange) error {
	var was credentials
	if before.on() {
		var err error
		if was, err = s.unsealed(tx.Actor.Tenant, before); err != nil {
			return err
		}
	}
	now := credentials{Account: c.Account, Token: c.Token, ReportSecret: rand.Text()}
	if c.Provider == SMSAPI {
		now.Account = ""
	}
	if before.on() && before.Provider == c.Provider {
		now.ReportSecret = was.ReportSecret
	}
	// A token of Twilio is known to be of the same account; one of SMSAPI may be of another.
	if !before.on() || before.Provider != c.Provider || was.Account != now.Account || c.Provider == SMSAPI && was.Token != now.Token {
		after.CredentialsID = tx.NewID()
	}
	content, err := json.Marshal(now)
	if err != nil {
		return err
	}
	after.Sealed, after.ReportHash = s.Vault.Seal(tx.Actor.Tenant, purposeOfSMS, content), hashOf(now.ReportSecret)
	return nil
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func (s *Service) unsealed(tenant string, r *smsRow) (c credentials, err error) {
	content, err := s.Vault.Unseal(tenant, purposeOfSMS, r.Sealed)
	if err == nil {
		err = json.Unmarshal(content, &c)
	}
	return c, err
}

// RemoveSMS forgets the credentials and turns SMS off. What waits fails and says why; of what was perhaps sent nothing more is learnt.
func RemoveSMS(tx *db.Tx) error {
	n, err := tx.Exec(`UPDATE sms_settings SET sealed = '', credentials_id = '', report_hash = '', changed_at = $2, changed_by = $3
		WHERE tenant_id = $1 AND sealed <> ''`, tx.Now, tx.Actor.Name)
	if err != nil || n == 0 {
		return err
	}
	if _, err := failWaiting(tx, TurnedOff, ""); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE message_sms SET state = 'failed', reason = $2, decided_at = $3, sealed = '' WHERE tenant_id = $1
		AND state = 'queued' AND attempted_at <> ''`, string(Unclear), tx.Now); err != nil {
		return err
	}
	return audit.Record(tx, audit.Change{Action: "messages.sms_off", Kind: "partner", ID: tx.Actor.Tenant})
}

// opened is a gateway with the credentials that it was opened with.
type opened struct {
	sealed, sender string
	sms.Gateway
}

// gateway is the partner's way to their provider. It is kept, for its connections, until the settings change.
func (s *Service) gateway(tenant string, r *smsRow) (sms.Gateway, error) {
	if kept, ok := s.gateways.Load(tenant); ok {
		if kept := kept.(opened); kept.sealed == r.Sealed && kept.sender == r.Sender {
			return kept.Gateway, nil
		}
	}
	c, err := s.unsealed(tenant, r)
	if err != nil {
		return nil, err
	}
	reports := ""
	if strings.HasPrefix(s.PublicURL, "https://") { // no provider reaches another
		reports = s.PublicURL + "/api/sms/" + r.Provider + "/status"
	}
	var g sms.Gateway
	switch r.Provider {
	case Twilio:
		g, err = sms.NewTwilio(sms.TwilioSettings{Address: s.Gateways.Twilio, Account: c.Account, Token: c.Token, Sender: r.Sender,
			ReportAddress: reports, ReportSecret: c.ReportSecret, Trust: s.Gateways.Trust})
	default:
		g, err = sms.NewSMSAPI(sms.SMSAPISettings{Address: s.Gateways.SMSAPI, Token: c.Token, Sender: r.Sender,
			ReportAddress: reports, ReportSecret: c.ReportSecret, Trust: s.Gateways.Trust})
	}
	if err == nil {
		s.gateways.Store(tenant, opened{r.Sealed, r.Sender, g})
	}
	return g, err
}

// monthOf is the month of the cap at an instant, on the instance's clock.
func (s *Service) monthOf(at time.Time) string { return at.In(s.Instance.Location()).Format("2006-01") }

func usedParts(tx *db.Tx, month string) (int64, error) {
	return db.One[int64](tx, `SELECT COALESCE(SUM(parts), 0) FROM sms_months WHERE tenant_id = $1 AND month = $2`, month)
}

// reserve takes parts of a month, or says how many are left. One statement decides, whoever else reserves at the same time.
func reserve(tx *db.Tx, month string, parts int64) error {
	if parts == 0 {
		return nil
	}
	n, err := tx.Exec(`INSERT INTO sms_months (tenant_id, month, parts) SELECT $1, CAST($2 AS TEXT), CAST($3 AS BIGINT)
		FROM sms_settings s WHERE s.tenant_id = $1 AND s.month_parts >= CAST($3 AS BIGINT)
		ON CONFLICT (tenant_id, month) DO UPDATE SET parts = sms_months.parts + excluded.parts
		WHERE sms_months.parts + excluded.parts <= (SELECT s.month_parts FROM sms_settings s WHERE s.tenant_id = $1)`, month, parts)
	if err != nil || n == 1 {
		return err
	}
	settings, err := smsSettings(tx)
	if err != nil {
		return err
	}
	used, err := usedParts(tx, month)
	if err != nil {
		return err
	}
	return ErrSMSCap.With("parts", parts).With("left", max(settings.MonthParts-used, 0)).With("max", settings.MonthParts)
}

// giveBack returns parts that were reserved and not sent, or takes more where a provider counted more.
func giveBack(tx *db.Tx, month string, parts int64) error {
	if parts == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE sms_months SET parts = CASE WHEN parts < $3 THEN 0 ELSE parts - $3 END WHERE tenant_id = $1 AND month = $2`,
		month, parts)
	return err
}

type monthParts struct {
	Month string
	Parts int64
}

// giveAllBack gives back the parts of many SMS, last of all that a unit of work does with them: a job has its SMS before it asks for parts.
func giveAllBack(tx *db.Tx, unsent []monthParts) error {
	months := map[string]int64{}
	for _, one := range unsent {
		months[one.Month] += one.Parts
	}
	for _, month := range slices.Sorted(maps.Keys(months)) {
		if err := giveBack(tx, month, months[month]); err != nil {
			return err
		}
	}
	return nil
}
