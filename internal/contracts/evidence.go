package contracts

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"saldo/internal/contracts/template"
	"saldo/internal/kernel/validate"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// withEvidence is a document with its signatures and, after its pages, how it was signed.
func (s *Service) withEvidence(tx *db.Tx, m *Made, k *kept, c *Contract, d *contractDocument, signers []*signature, events []Event) []byte {
	in := i18n.Language(m.Language)
	of := func(key string, params ...any) string { return i18n.Of(in, "contract-pages:evidence."+key, params...) }
	e := template.Evidence{Title: of("title"), Note: of("note"), Address: s.PublicURL + "/app/verify/" + d.VerifyCode, Scan: of("scan"),
		Heads: []string{of("when"), of("what"), of("who"), of("from")}}
	e.Facts = [][2]string{{of("document"), m.Name}, {of("contract"), c.ID}, {of("parties"), k.Data.Personal.Name() + " · " + k.Partner.Name},
		{of("pages"), strconv.FormatInt(m.Pages, 10)}, {of("address"), e.Address}}
	document := m.document
	document.Signatures = map[Side][]byte{}
	for _, g := range signers {
		document.Signatures[g.Role] = g.picture
		facts := [][2]string{{of("kind"), of("kind_" + g.Kind)}, {of("signed_at"), s.instant(in, g.At)}}
		if g.email != "" {
			facts = append(facts, [2]string{of("account"), template.ShortEmail(g.email)})
		}
		if g.Person != "standing" {
			facts = append(facts, [2]string{of("signed_in"), s.instant(in, g.SignedInAt)},
				[2]string{of("device"), of("device_" + g.Device)}, [2]string{of("ip"), template.ShortAddress(g.address)},
				[2]string{of("agent"), validate.Cut(g.agent, 90)})
		}
		who := k.Data.Personal.Name()
		if g.Role == template.Partner {
			who = k.Partner.Name
		}
		if g.name != who {
			facts = append([][2]string{{of("name"), g.name}}, facts...)
		}
		e.Signers = append(e.Signers, template.SignerFacts{Name: who, Picture: g.picture, Says: of("signature_of", "name", who), Facts: facts})
	}
	last := ""
	for _, event := range events {
		what := i18n.Of(in, "contract-events:event_"+event.Kind) + about(in, event)
		e.Events = append(e.Events, []string{s.instant(in, event.At), what, i18n.Of(in, "contract-events:role_"+event.Role),
			template.ShortAddress(event.Address)})
		last = event.Sum
	}
	e.Sums = [][2]string{{of("sum_shown"), d.ShownHash}, {of("sum_events"), last}}
	document.Evidence = &e
	content, _ := template.Make(s.file(m.Name, k), document)
	return content
}

// about is which document or declaration an event is of.
func about(in i18n.Language, e Event) string {
	var detail struct {
		Order int64  `json:"order"`
		ID    string `json:"id"`
		Step  int64  `json:"step"`
	}
	if json.Unmarshal([]byte(e.Detail), &detail) != nil {
		return ""
	}
	switch {
	case detail.Order > 0:
		return " · " + strconv.FormatInt(detail.Order, 10)
	case detail.Step > 0:
		return " · " + strconv.FormatInt(detail.Step, 10)
	case slices.Contains(Declarations, detail.ID):
		return ": " + DeclarationText(in, detail.ID)
	}
	return ""
}

// instant is a time with its zone.
func (s *Service) instant(in i18n.Language, at time.Time) string {
	local := at.In(s.Instance.Location())
	return i18n.Day(in, s.today(at)) + " " + local.Format("15:04:05 MST")
}
