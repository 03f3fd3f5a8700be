package accounts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// The tabs of driver profiles.
const (
	TabEmail   = "email"   // whom the partner wrote down, with what became of their account
	TabNew     = "new"     // chose the partner and are not linked
	TabBlocked = "blocked" // profiles and drivers that the partner keeps out
)

// ProfilesMax is the most that one page of profiles holds.
const ProfilesMax = 100

// ProfileFilter chooses a page of profiles.
type ProfileFilter struct {
	Tab        string
	Query      string // every word of it must be a part of the name, e-mail or phone
	Linked     string // yes, no; otherwise both. Only on the tab of e-mails
	Page, Size int64  // pages begin with 1
}

// ProfileCounts say how many a search leaves on each tab.
type ProfileCounts struct{ Email, New, Blocked int64 }

// ProfileRow is one person on a tab.
type ProfileRow struct {
	ID                  string // of the profile, or of the driver where the tab is about drivers
	ProfileID, DriverID string // empty: there is none
	FirstName, LastName string
	Email, Phone        string
	EmailConfirmed      bool
	State               string // of the profile; empty: there is none
	Blocked             bool   // the driver is
	VerifiedAt          time.Time
	ChosenAt, LinkedAt  time.Time
	ActivationSentAt    time.Time
	ActivatedAccount    string
	SearchKey           string
	Registered          bool // has made an account since the activation was mailed
	Proposals           []Proposal
}

// ProfilePage is one page of profiles.
type ProfilePage struct {
	Rows   []ProfileRow
	Total  int64
	Counts ProfileCounts
}

// Every tab asks for the same columns, so that the one of two tables is a union.
const (
	ofBoth = `COALESCE(p.id, '') AS profile_id, COALESCE(d.id, '') AS driver_id, COALESCE(p.email_confirmed, FALSE) AS email_confirmed,
		COALESCE(p.state, '') AS state, COALESCE(d.blocked, FALSE) AS blocked, COALESCE(d.verified_at, '') AS verified_at,
		COALESCE(p.consented_at, '') AS chosen_at,
		COALESCE(p.linked_at, '') AS linked_at, COALESCE(d.activation_sent_at, '') AS activation_sent_at, COALESCE(d.activated_account, '') AS
		activated_account`
	driverRows = `SELECT d.id AS id, d.first_name AS first_name, d.last_name AS last_name, COALESCE(NULLIF(d.email, ''), p.email, '') AS
		email, d.phone AS phone,
		d.search_key AS search_key, ` + ofBoth + ` FROM drivers d LEFT JOIN driver_profiles p ON p.tenant_id = d.tenant_id
			AND p.account_id = d.account_id AND p.email <> ''
		WHERE d.tenant_id = $1 AND d.merged_into = ''`
	profileRows = `SELECT p.id AS id, p.first_name AS first_name, p.last_name AS last_name, p.email AS email, p.phone AS phone,
		p.search_key AS search_key, ` + ofBoth + ` FROM driver_profiles p LEFT JOIN drivers d ON d.tenant_id = p.tenant_id
			AND d.account_id = p.account_id AND d.merged_into = ''
		WHERE p.tenant_id = $1 AND p.email <> ''`
)

var tabs = map[string]string{
	TabEmail: driverRows + ` AND (d.account_id <> '' OR d.email <> '' AND (d.activation_sent_at <> '' OR EXISTS (
		SELECT 1 FROM driver_profiles c WHERE c.tenant_id = $1 AND c.email = d.email AND c.left_at = '')))`,
	TabNew:     profileRows + ` AND p.state = 'new' AND p.left_at = ''`,
	TabBlocked: profileRows + ` AND p.state = 'blocked' UNION ALL ` + driverRows + ` AND d.blocked AND COALESCE(p.state, '') <> 'blocked'`,
}

// Profiles is a page of driver profiles. The system acts, in the partner's
// tenant: whether somebody has registered is theirs and is looked up for those
// alone whom the partner had mailed an activation.
func Profiles(tx *db.Tx, f ProfileFilter) (p ProfilePage, err error) {
	where, args := f.search()
	for tab, count := range map[string]*int64{TabEmail: &p.Counts.Email, TabNew: &p.Counts.New, TabBlocked: &p.Counts.Blocked} {
		if *count, err = db.One[int64](tx, `SELECT COUNT(*) FROM (`+tabs[tab]+`) listed`+where, args...); err != nil {
			return p, err
		}
	}
	if f.Tab == TabEmail && f.Linked == "yes" {
		where += ` AND state IN ('linked', 'blocked')`
	} else if f.Tab == TabEmail && f.Linked == "no" {
		where += ` AND state = ''`
	}
	if p.Total, err = db.One[int64](tx, `SELECT COUNT(*) FROM (`+tabs[f.Tab]+`) listed`+where, args...); err != nil {
		return p, err
	}
	order := `search_key, id`
	if f.Tab == TabNew {
		order = `chosen_at DESC, id DESC` // whoever waits shortest is looked for first
	}
	size := min(max(f.Size, 1), ProfilesMax)
	if p.Rows, err = db.Select[ProfileRow](tx,
		fmt.Sprintf(`SELECT * FROM (%s) listed%s ORDER BY %s LIMIT $%d OFFSET $%d`, tabs[f.Tab], where, order, len(args)+2, len(args)+3),
		append(slices.Clone(args), size, (max(f.Page, 1)-1)*size)...); err != nil {
		return p, err
	}
	if f.Tab == TabNew {
		return p, propose(tx, p.Rows)
	}
	if err := claim(tx, p.Rows); err != nil {
		return p, err
	}
	return p, register(tx, p.Rows)
}

func (f ProfileFilter) search() (where string, args []any) {
	where = ` WHERE TRUE`
	words := strings.Fields(i18n.Fold(f.Query))
	for _, word := range words[:min(len(words), wordsMax)] {
		args = append(args, "%"+db.Literal(word)+"%")
		where += fmt.Sprintf(` AND search_key LIKE $%d ESCAPE '!'`, len(args)+1)
	}
	return where, args
}

// wordsMax is how many words of a search count; more only say the same again.
const wordsMax = 6

// marks are the places of values in a query, from the first on.
func marks(first, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", first+i)
	}
	return strings.Join(all, ", ")
}

// propose fills in who of the partner's drivers the people may be.
func propose(tx *db.Tx, rows []ProfileRow) error {
	if len(rows) == 0 {
		return nil
	}
	people := make([]Profile, len(rows))
	for i, r := range rows {
		people[i] = Profile{FirstName: r.FirstName, LastName: r.LastName, Email: r.Email, Phone: r.Phone}
	}
	drivers, err := similar(tx, people)
	for i := range rows {
		rows[i].Proposals = proposals(drivers, people[i])
	}
	return err
}

// similar are the partner's drivers who may be one of these people.
func similar(tx *db.Tx, people []Profile) ([]Proposal, error) {
	where, args := mayBe(people, 2)
	return db.Select[Proposal](tx, `SELECT id, first_name, last_name, email, phone, version, blocked, account_id FROM drivers
		WHERE tenant_id = $1 AND merged_into = '' AND `+where+` ORDER BY search_key, id`, args...)
}

func proposals(drivers []Proposal, p Profile) []Proposal {
	found := []Proposal{}
	for _, d := range drivers {
		if d.Evidence = evidence(d, p); len(d.Evidence) > 0 {
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, func(a, b Proposal) int { return stronger(a.Evidence, b.Evidence) })
	return found
}

// claim fills in, for drivers who are linked with nobody, the profile with
// their e-mail address, where exactly one has it.
func claim(tx *db.Tx, rows []ProfileRow) error {
	at, emails := map[string][]int{}, []any{}
	for i, r := range rows {
		if r.ProfileID == "" && r.Email != "" {
			if at[r.Email] == nil {
				emails = append(emails, r.Email)
			}
			at[r.Email] = append(at[r.Email], i)
		}
	}
	if len(emails) == 0 {
		return nil
	}
	found, err := db.Select[Profile](tx, `SELECT `+profileColumns+
		` FROM driver_profiles WHERE tenant_id = $1 AND state = 'new' AND left_at = '' AND email IN (`+
		marks(2, len(emails))+`)`, emails...)
	times := map[string]int{}
	for _, p := range found {
		times[p.Email]++
	}
	for _, p := range found {
		for _, i := range at[p.Email] {
			if times[p.Email] == 1 {
				r := &rows[i]
				r.ProfileID, r.State, r.EmailConfirmed, r.ChosenAt = p.ID, p.State, p.EmailConfirmed, p.ConsentedAt
			}
		}
	}
	return err
}

// register fills in who has made an account since the activation was mailed.
// That somebody had one before is told by nobody but themselves, when they
// choose the partner: an address typed here must not say who is known to Saldo.
func register(tx *db.Tx, rows []ProfileRow) error {
	var people []any
	for i, r := range rows {
		rows[i].Registered = r.ProfileID != ""
		if r.ActivatedAccount != "" {
			people = append(people, r.ActivatedAccount)
		}
	}
	if len(people) == 0 {
		return nil
	}
	accounts, err := db.Select[struct {
		TenantID  string
		CreatedAt time.Time
	}](tx.Across(), `SELECT tenant_id, created_at FROM driver_accounts WHERE deleted_at = '' AND tenant_id IN (`+marks(1, len(people))+`)`,
		people...)
	made := map[string]time.Time{}
	for _, a := range accounts {
		made[a.TenantID] = a.CreatedAt
	}
	for i, r := range rows {
		if at, ok := made[r.ActivatedAccount]; ok && !at.Before(r.ActivationSentAt) {
			rows[i].Registered = true
		}
	}
	return err
}
