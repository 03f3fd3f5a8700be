package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/kernel/access"
	"saldo/internal/messages"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

// reportMost is how many bytes a report of a provider has: SMSAPI tells of a hundred SMS at once.
const reportMost = 64 << 10

func (s Settings) smsRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/sms-settings", Name: "sms-settings", Permission: access.PartnerRead,
		Summary: "How the partner sends SMS, and how many parts of the month are used; never the credentials"}, s.smsSettings)
	web.Write(r, web.Route{Method: put, Path: "/api/sms-settings", Name: "save-sms-settings", Fresh: true,
		Permission: access.PartnerWrite, Summary: "Set how the partner sends SMS, and turn them on"}, s.setSMS)
	web.Write(r, web.Route{Method: del, Path: "/api/sms-settings", Name: "remove-sms-settings", Permission: access.PartnerWrite,
		Summary: "Forget the credentials and turn SMS off; what waits is not sent"}, removeSMS)
	// Providers call these. SMSAPI wants to read OK, and calls again otherwise.
	for provider, hook := range map[string]web.Hook{
		messages.SMSAPI: {Methods: []string{http.MethodGet, http.MethodPost}, Answer: "OK"},
		messages.Twilio: {},
	} {
		hook.Path, hook.Limit = "/api/sms/"+provider+"/status", reportMost
		web.Webhook(r, hook, func(ctx context.Context, m web.Message) error {
			var reports messages.SMSReports
			if err := s.DB.Read(ctx, access.Program("sms report"), func(tx *db.Tx) (err error) {
				reports, err = s.Messages.SMSReports(tx, provider, m.Request(ctx))
				return err
			}); err != nil {
				return err
			}
			return s.DB.Write(ctx, access.ProgramFor(reports.Tenant, "sms report"), reports.Keep)
		})
	}
}

// SMSSettings are how a partner sends SMS.
type SMSSettings struct {
	On         bool       `json:"on" doc:"credentials are set"`
	Provider   string     `json:"provider" enum:"SMSAPI,TWILIO"`
	Sender     string     `json:"sender" doc:"what phones show"`
	PartCost   int64      `json:"partCost" doc:"of one part, in minor units"`
	MonthParts int64      `json:"monthParts" doc:"the most parts in a month"`
	UsedParts  int64      `json:"usedParts" doc:"sent or reserved in this month"`
	ChangedAt  *time.Time `json:"changedAt"`
	ChangedBy  string     `json:"changedBy"`
}

func (s Settings) smsSettings(tx *db.Tx, _ *nothing) (SMSSettings, error) {
	found, used, err := s.Messages.SMSSettingsOf(tx)
	return SMSSettings{found.On, strings.ToUpper(found.Provider), found.Sender, found.PartCost, found.MonthParts, used,
		instantOf(found.ChangedAt), found.ChangedBy}, err
}

// SMSChange is what a partner sets. Without a token the one that is there stays.
type SMSChange struct {
	Provider   string `json:"provider" enum:"SMSAPI,TWILIO"`
	Account    string `json:"account,omitempty" maxLength:"34" doc:"Twilio's account SID, with a token"`
	Token      string `json:"token,omitempty" maxLength:"200" doc:"none: the one that is there stays"`
	Sender     string `json:"sender" maxLength:"34" doc:"SMSAPI: a sender name or nothing; Twilio: a number, a name or a messaging service"`
	PartCost   int64  `json:"partCost" minimum:"0" maximum:"10000" doc:"of one part, in minor units"`
	MonthParts int64  `json:"monthParts" minimum:"0" maximum:"1000000"`
}

func (s Settings) setSMS(tx *db.Tx, in *struct{ Body SMSChange }) (web.None, error) {
	b := in.Body
	return web.None{}, s.Messages.SetSMS(tx, messages.SMSChange{Provider: strings.ToLower(b.Provider), Sender: b.Sender, Account: b.Account,
		Token: b.Token, PartCost: b.PartCost, MonthParts: b.MonthParts})
}

func removeSMS(tx *db.Tx, _ *nothing) (web.None, error) { return web.None{}, messages.RemoveSMS(tx) }

// SMSPreview is what the SMS of a message would need.
type SMSPreview struct {
	_          struct{}      `nullable:"true"`
	Recipients int64         `json:"recipients"`
	Parts      int64         `json:"parts"`
	Cost       int64         `json:"cost" doc:"in minor units"`
	Left       int64         `json:"left" doc:"parts that are left in the month in which it is sent"`
	Most       int64         `json:"most" doc:"parts in a month"`
	Languages  []SMSLanguage `json:"languages" nullable:"false"`
}

// SMSLanguage is the SMS in one language.
type SMSLanguage struct {
	Language   Language `json:"language"`
	Recipients int64    `json:"recipients"`
	Parts      int64    `json:"parts" doc:"of one SMS, at most"`
	Unicode    bool     `json:"unicode" doc:"it has letters that leave room for 70 instead of 160 in a part"`
}

func smsPreviewOf(p *messages.SMSPreview) *SMSPreview {
	if p == nil {
		return nil
	}
	out := &SMSPreview{Recipients: p.Recipients, Parts: p.Parts, Cost: p.Cost, Left: p.Left, Most: p.Most, Languages: []SMSLanguage{}}
	for _, l := range p.Languages {
		out.Languages = append(out.Languages, SMSLanguage{Language(l.Language), l.Recipients, l.Parts, l.Unicode})
	}
	return out
}

// SMSReason is why an SMS was not delivered.
type SMSReason string

// Schema lists the reasons; empty: none.
func (SMSReason) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Enum: []any{""}}
	for _, reason := range messages.SMSReasons {
		s.Enum = append(s.Enum, string(reason))
	}
	return s
}
