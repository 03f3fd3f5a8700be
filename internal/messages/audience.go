package messages

import (
	"cmp"
	"slices"
	"strconv"

	"saldo/internal/drivers"
	"saldo/internal/kernel/calendar"
	"saldo/internal/messages/sms"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// Audience is to whom a message goes: everybody, or these drivers, those with these tags, and those of a list.
type Audience struct {
	Everybody bool
	Drivers   []string
	Tags      []string
	List      *drivers.Filter
}

// Refusal is why a driver does not get a message.
type Refusal string

// The refusals; empty: gets it.
const (
	Blocked   Refusal = "blocked"
	Inactive  Refusal = "inactive"
	NoAddress Refusal = "no_address"    // the message goes by mail alone, or by mail and SMS and there is no number either
	NoNumber  Refusal = "no_phone"      // the message goes by SMS alone
	NoMails   Refusal = "no_mails"      // as NoAddress, and the driver wants no mails of messages
	Unsettled Refusal = "no_settlement" // the message is about a period of which they have no settlement that they may see
	OverQuota Refusal = "quota"         // as many mails as may be were sent today, or to this address this hour
)

// candidate is a driver to whom a message may go.
type candidate struct {
	ID                  string
	FirstName, LastName string
	Email, Phone        string
	AccountID           string
	SummaryLanguage     string
	Blocked, Active     bool
	NoMails             bool     `db:"-"` // wants no mails of messages
	Unsettled           bool     `db:"-"` // the message is about a period of which they have no settlement
	Settled             *Settled `db:"-"` // that of the period, where the message is about one
}

// mailable says whether a message can go to a driver by mail.
func (c *candidate) mailable() bool { return c.Email != "" && !c.NoMails }

const candidateQuery = `SELECT id, first_name, last_name, email, phone, account_id, summary_language, blocked, active FROM drivers
	WHERE tenant_id = $1 AND merged_into = ''`

// chunk is how many drivers one query asks for.
const chunk = 200

// candidates are the drivers of an audience, each once, by name. One who is not there refuses all.
func candidates(tx *db.Tx, to Audience) ([]candidate, error) {
	if to.Everybody {
		all, err := db.Select[candidate](tx, candidateQuery+` ORDER BY search_key, id`)
		if err == nil {
			err = chosen(tx, all)
		}
		return all, err
	}
	ids := slices.Clone(to.Drivers)
	for _, tag := range to.Tags {
		tagged, err := db.Select[string](tx, `SELECT driver_id FROM driver_tags WHERE tenant_id = $1 AND tag_id = $2`, tag)
		if err != nil {
			return nil, err
		}
		ids = append(ids, tagged...)
	}
	if to.List != nil {
		listed, err := drivers.IDs(tx, *to.List)
		if err != nil {
			return nil, err
		}
		ids = append(ids, listed...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	all, err := named(tx, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]bool, len(all))
	for i := range all {
		found[all[i].ID] = true
	}
	for _, id := range to.Drivers {
		if !found[id] {
			return nil, drivers.ErrNotFound
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Compare(i18n.Fold(a.FirstName+" "+a.LastName)+a.ID, i18n.Fold(b.FirstName+" "+b.LastName)+b.ID)
	})
	return all, nil
}

// named are the drivers with these ids, in any order.
func named(tx *db.Tx, ids []string) (all []candidate, err error) {
	for some := range slices.Chunk(ids, chunk) {
		in, args := db.Among(2, some)
		found, err := db.Select[candidate](tx, candidateQuery+` AND id`+in, args...)
		if err != nil {
			return nil, err
		}
		if err := chosen(tx, found); err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// settled gives candidates what they are paid out for a period; an empty one concerns nobody.
func (s *Service) settled(tx *db.Tx, period string, all []candidate) error {
	if period == "" {
		return nil
	}
	var ids []string
	if len(all) <= chunk {
		for i := range all {
			ids = append(ids, all[i].ID)
		}
	}
	found, err := s.Payouts(tx, calendar.Period(period), ids)
	for i := range all {
		if one, ok := found[all[i].ID]; ok {
			all[i].Settled = &one
		} else {
			all[i].Unsettled = true
		}
	}
	return err
}

// figuresJSON is what the note of a driver keeps of their settlement; empty: nothing.
func (c *candidate) figuresJSON() string {
	if c.Settled == nil {
		return ""
	}
	return db.JSON(c.figures())
}

func (c *candidate) figures() map[string]string {
	if c.Settled == nil {
		return nil
	}
	return map[string]string{"first": string(c.Settled.FirstOn), "last": string(c.Settled.LastOn),
		"amount": strconv.FormatInt(int64(c.Settled.Payout), 10)}
}

// refusal says why a driver gets nothing by any of the channels.
func (c *candidate) refusal(by []Channel) Refusal {
	switch {
	case c.Blocked:
		return Blocked
	case !c.Active:
		return Inactive
	case c.Unsettled:
		return Unsettled
	case slices.Contains(by, Board), c.mailable() && slices.Contains(by, Mail), c.Phone != "" && slices.Contains(by, SMS):
		return ""
	case slices.Contains(by, Mail) && c.Email != "":
		return NoMails
	case slices.Contains(by, Mail):
		return NoAddress
	}
	return NoNumber
}

// Preview is what sending a draft would do.
type Preview struct {
	Recipients     int64 // who get it
	ByMail         int64 // who of them have an e-mail address, where it goes by mail
	WithoutAccount int64 // who see it on the board only once they have an account
	LeftOut        []Group
	WithoutAddress Group // who get it another way and have no e-mail address
	WithoutPhone   Group // who get it another way and have no phone number
	Unwilling      Group // who get it another way and want no mails
	SMS            *SMSPreview
	Texts          []Text
}

// Group is drivers whom a reason concerns.
type Group struct {
	Refusal Refusal
	Count   int64
	Drivers []drivers.Name // the first
}

// namedMax is how many drivers a reason names.
const namedMax = 5

func (g *Group) add(c *candidate) {
	if g.Count++; len(g.Drivers) < namedMax {
		g.Drivers = append(g.Drivers, drivers.Name{ID: c.ID, FirstName: c.FirstName, LastName: c.LastName})
	}
}

// Preview says who would get a draft and who would not, and checks it; nothing is kept.
func (s *Service) Preview(tx *db.Tx, d Draft) (p Preview, err error) {
	d, at, err := s.checked(tx, d)
	if err != nil {
		return p, err
	}
	all, err := candidates(tx, d.To)
	if err == nil {
		err = s.settled(tx, d.Period, all)
	}
	if err != nil {
		return p, err
	}
	byBoard, byMail := slices.Contains(d.Channels, Board), slices.Contains(d.Channels, Mail)
	groups := map[Refusal]*Group{}
	bySMS := slices.Contains(d.Channels, SMS)
	p.WithoutAddress.Refusal, p.WithoutPhone.Refusal, p.Unwilling.Refusal = NoAddress, NoNumber, NoMails
	for i := range all {
		c := &all[i]
		if why := c.refusal(d.Channels); why != "" {
			if groups[why] == nil {
				groups[why] = &Group{Refusal: why}
			}
			groups[why].add(c)
			continue
		}
		p.Recipients++
		switch {
		case byMail && c.mailable():
			p.ByMail++
		case byMail && c.Email == "":
			p.WithoutAddress.add(c)
		case byMail:
			p.Unwilling.add(c)
		}
		if bySMS && c.Phone == "" {
			p.WithoutPhone.add(c)
		}
		if byBoard && c.AccountID == "" {
			p.WithoutAccount++
		}
	}
	for _, why := range []Refusal{Blocked, Inactive, Unsettled, NoAddress, NoMails, NoNumber} {
		if groups[why] != nil {
			p.LeftOut = append(p.LeftOut, *groups[why])
		}
	}
	p.Texts = append([]Text{d.Text}, d.Translations...)
	if bySMS {
		if at.IsZero() {
			at = tx.Now
		}
		planned, err := s.plan(tx, &d, all, s.monthOf(sms.QuietUntil(at, s.Instance.Location())))
		if err != nil {
			return p, err
		}
		p.SMS = &planned.SMSPreview
	}
	return p, nil
}
