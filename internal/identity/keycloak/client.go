// Package keycloak lets Saldo's people sign in at a Keycloak: it manages them
// through Keycloak's REST, knows its keys, shows its pages and hears when a
// session ends.
package keycloak

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
)

// patience is how long one call may take. A mail is sent within its call.
const patience = 20 * time.Second

// answerLimit bounds what is read of an answer.
const answerLimit = 1 << 20

// Realm says where a realm is and who manages it.
type Realm struct {
	Base         string // address of Keycloak as this program reaches it, without a slash at its end
	Name         string
	ClientID     string // whose service account manages people
	ClientSecret string
}

func (r Realm) openid(endpoint string) string {
	return r.Base + "/realms/" + r.Name + "/protocol/openid-connect/" + endpoint
}

// Client manages the people of a realm. It is an identity.Admin.
type Client struct {
	realm Realm
	http  *http.Client
	clock func() time.Time

	mu    sync.Mutex // held while a token is fetched: others wait for it instead of fetching theirs
	token string
	until time.Time
}

// NewClient makes a client that asks nothing yet.
func NewClient(r Realm, clock func() time.Time) *Client {
	return &Client{realm: r, clock: clock, http: &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // the token is for this address alone
	}}}
}

// representation is what Keycloak shows of a user.
type representation struct {
	ID         string              `json:"id"`
	Email      string              `json:"email"`
	FirstName  string              `json:"firstName"`
	LastName   string              `json:"lastName"`
	Verified   bool                `json:"emailVerified"`
	Enabled    bool                `json:"enabled"`
	Attributes map[string][]string `json:"attributes"`
}

// FindByEmail finds a user by address, whatever the case of its letters.
func (c *Client) FindByEmail(ctx context.Context, email string) (identity.User, error) {
	found, err := c.find(ctx, email)
	if err != nil {
		return identity.User{}, err
	}
	u := identity.User{ID: found.ID, Email: found.Email, FirstName: found.FirstName, LastName: found.LastName,
		Verified: found.Verified, Enabled: found.Enabled, Attributes: map[string]string{}}
	for name, values := range found.Attributes {
		if len(values) > 0 {
			u.Attributes[name] = values[0]
		}
	}
	u.Roles, err = c.roles(ctx, found.ID)
	return u, err
}

// roles are those that Saldo knows, with what roles bring along: everybody is a
// driver by the realm's default role.
func (c *Client) roles(ctx context.Context, id string) (known []access.Role, err error) {
	var all []realmRole
	if err := c.ask(ctx, http.MethodGet, userPath(id)+"/role-mappings/realm/composite", nil, &all); err != nil {
		return nil, notUser(err)
	}
	for _, r := range all {
		if r.Name == access.Partner || r.Name == access.Driver {
			known = append(known, r.Name)
		}
	}
	slices.Sort(known)
	return known, nil
}

func (c *Client) find(ctx context.Context, email string) (representation, error) {
	if email == "" {
		return representation{}, identity.ErrNoUser // Keycloak would list everybody
	}
	var found []representation
	err := c.ask(ctx, http.MethodGet, "/users?"+url.Values{"email": {email}, "exact": {"true"}}.Encode(), nil, &found)
	if err != nil {
		return representation{}, err
	}
	for _, u := range found {
		if strings.EqualFold(u.Email, email) {
			return u, nil
		}
	}
	return representation{}, identity.ErrNoUser
}

// EnsureUser makes a user, or finds the one with the address, and gives the role.
func (c *Client) EnsureUser(ctx context.Context, u identity.NewUser) (id string, created bool, err error) {
	found, err := c.find(ctx, u.Email)
	if errors.Is(err, identity.ErrNoUser) {
		found.ID, created, err = c.create(ctx, u)
	}
	if err != nil {
		return "", false, err
	}
	if u.Fresh && !created {
		return "", false, identity.ErrTaken
	}
	if u.Role == access.Driver && !created {
		roles, err := c.roles(ctx, found.ID)
		if err != nil || slices.Contains(roles, access.Partner) {
			return "", false, cmp.Or(err, identity.ErrTaken)
		}
	}
	return found.ID, created, c.grant(ctx, found.ID, u.Role)
}

type realmRole struct {
	ID   string      `json:"id"`
	Name access.Role `json:"name"`
}

// grant gives a role to a user who may have it already.
func (c *Client) grant(ctx context.Context, id string, wanted access.Role) error {
	var role realmRole
	err := c.ask(ctx, http.MethodGet, "/roles/"+url.PathEscape(string(wanted)), nil, &role)
	if errors.Is(err, errNotThere) {
		return fmt.Errorf("the realm %s has no role %q: import deploy/keycloak/saldo-realm.json, or add the role", c.realm.Name, wanted)
	}
	if err == nil {
		err = c.ask(ctx, http.MethodPost, userPath(id)+"/role-mappings/realm", []realmRole{role}, nil)
	}
	var refusal *refused
	if errors.As(err, &refusal) {
		// Keycloak refuses whoever gives a role that another is just giving
		var held []realmRole
		if again := c.ask(ctx, http.MethodGet, userPath(id)+"/role-mappings/realm", nil, &held); again != nil {
			return notUser(again)
		}
		if slices.Contains(held, role) {
			return nil
		}
	}
	return notUser(err)
}

// create makes a user, or finds the one that somebody else has just made.
func (c *Client) create(ctx context.Context, u identity.NewUser) (id string, created bool, err error) {
	attributes := map[string][]string{}
	for name, value := range u.Attributes {
		if value != "" {
			attributes[name] = []string{value}
		}
	}
	if u.Language != "" {
		attributes["locale"] = []string{u.Language}
	}
	var at location
	err = c.ask(ctx, http.MethodPost, "/users", map[string]any{
		"username": u.Email, "email": u.Email, "firstName": u.FirstName, "lastName": u.LastName, "enabled": true, "attributes": attributes}, &at)
	var refusal *refused
	if errors.As(err, &refusal) && refusal.status == http.StatusConflict {
		found, again := c.find(ctx, u.Email)
		if errors.Is(again, identity.ErrNoUser) {
			return "", false, err // another address has this one as its user name
		}
		return found.ID, false, again
	}
	if err != nil {
		return "", false, err
	}
	id = string(at[strings.LastIndex(string(at), "/")+1:])
	if id == "" {
		return "", false, errors.New("a user was made and Keycloak did not say which")
	}
	return id, true, nil
}

// SendActivation lets Keycloak mail a link with which the user sets a password.
func (c *Client) SendActivation(ctx context.Context, id, redirect string, life time.Duration) error {
	query := url.Values{"client_id": {identity.Client}, "redirect_uri": {redirect}, "lifespan": {strconv.Itoa(int(life.Seconds()))}}
	err := c.ask(ctx, http.MethodPut, userPath(id)+"/execute-actions-email?"+query.Encode(), []string{"UPDATE_PASSWORD", "VERIFY_EMAIL"}, nil)
	var refusal *refused
	if errors.As(err, &refusal) && refusal.status == http.StatusInternalServerError {
		return fmt.Errorf("%w: check the mail server of the realm %s", err, c.realm.Name)
	}
	return notUser(err)
}

// SetAttributes changes the named attributes. Keycloak takes only whole users,
// so everything else is sent back as it was.
func (c *Client) SetAttributes(ctx context.Context, id string, attributes map[string]string) error {
	var user map[string]any
	if err := c.ask(ctx, http.MethodGet, userPath(id), nil, &user); err != nil {
		return notUser(err)
	}
	all, _ := user["attributes"].(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	for name, value := range attributes {
		delete(all, name)
		if value != "" {
			all[name] = []string{value}
		}
	}
	user["attributes"] = all
	if err := c.ask(ctx, http.MethodPut, userPath(id), user, nil); err != nil {
		return notUser(err)
	}
	// what the user profile does not declare, Keycloak drops without a word
	var kept representation
	if err := c.ask(ctx, http.MethodGet, userPath(id), nil, &kept); err != nil {
		return notUser(err)
	}
	for name, value := range attributes {
		if value != "" && !slices.Equal(kept.Attributes[name], []string{value}) {
			return fmt.Errorf(
				"the realm %s does not keep the attribute %s: declare it in the realm's user profile, as deploy/keycloak/saldo-realm.json does",
				c.realm.Name, name)
		}
	}
	return nil
}

// LogoutAll ends every session of the user.
func (c *Client) LogoutAll(ctx context.Context, id string) error {
	return notUser(c.ask(ctx, http.MethodPost, userPath(id)+"/logout", nil, nil))
}

// Delete forgets the user; whoever is unknown is already forgotten. Their
// sessions end first: of those of a user who is gone, Keycloak says nothing.
func (c *Client) Delete(ctx context.Context, id string) error {
	if err := c.LogoutAll(ctx, id); err != nil && !errors.Is(err, identity.ErrNoUser) {
		return err
	}
	if err := c.ask(ctx, http.MethodDelete, userPath(id), nil, nil); err != nil && !errors.Is(err, errNotThere) {
		return err
	}
	return nil
}

// userPath is never that of all users: an empty id names nobody.
func userPath(id string) string {
	if id == "" || id == "." || id == ".." {
		id = "nobody"
	}
	return "/users/" + url.PathEscape(id)
}

// errNotThere is Keycloak's 404.
var errNotThere = errors.New("not there")

func notUser(err error) error {
	if errors.Is(err, errNotThere) {
		return identity.ErrNoUser
	}
	return err
}

// refused is an answer of Keycloak that says no.
type refused struct {
	status int
	what   string
}

func (r *refused) Error() string { return fmt.Sprintf("the Keycloak answers %d: %s", r.status, r.what) }

// location is where Keycloak put what was made.
type location string

// ask calls the REST of the realm and decodes its answer into out. A token that
// Keycloak no longer takes is fetched anew, once.
func (c *Client) ask(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	for try := 1; ; try++ {
		token, err := c.bearer(ctx)
		if err != nil {
			return err
		}
		rq, err := http.NewRequestWithContext(ctx, method, c.realm.Base+"/admin/realms/"+c.realm.Name+path, bytes.NewReader(body))
		if err != nil {
			return err
		}
		rq.Header.Set("Authorization", "Bearer "+token)
		if in != nil {
			rq.Header.Set("Content-Type", "application/json")
		}
		rq.Header.Set("Accept", "application/json")
		status, header, answer, err := c.send(rq)
		switch {
		case err != nil:
			return err
		case status == http.StatusUnauthorized && try == 1:
			c.forget(token)
			continue
		case status == http.StatusForbidden:
			return fmt.Errorf(
				"the Keycloak does not let the client %s manage people: "+
					"give its service account the roles manage-users, view-users, query-users and view-realm of realm-management in the realm %s",
				c.realm.ClientID, c.realm.Name)
		case status == http.StatusNotFound:
			return errNotThere
		case status < 200 || status > 299:
			return &refused{status, reason(answer)}
		}
		if at, ok := out.(*location); ok {
			*at = location(header.Get("Location"))
			return nil
		}
		if out == nil {
			return nil
		}
		if err := json.Unmarshal(answer, out); err != nil {
			return fmt.Errorf("the Keycloak answers what Saldo does not understand: %w", err)
		}
		return nil
	}
}

// bearer is a token of the service account that lives half a minute longer.
func (c *Client) bearer(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" && c.clock().Before(c.until) {
		return c.token, nil
	}
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {c.realm.ClientID}, "client_secret": {c.realm.ClientSecret}}
	rq, err := http.NewRequestWithContext(ctx, http.MethodPost, c.realm.openid("token"), strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	rq.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	status, _, answer, err := c.send(rq)
	var got struct {
		Token   string `json:"access_token"`
		Seconds int    `json:"expires_in"`
	}
	switch {
	case err != nil:
		return "", err
	case status == http.StatusNotFound:
		return "",
			fmt.Errorf("the Keycloak at %s has no realm %s: import deploy/keycloak/saldo-realm.json, or set SALDO_IDP_REALM to the realm it has",
				c.realm.Base, c.realm.Name)
	case status == http.StatusUnauthorized || status == http.StatusBadRequest:
		return "",
			fmt.Errorf(
				"the Keycloak refuses the client %s (%s): set SALDO_IDP_ADMIN_CLIENT_SECRET to the secret of this client, "+
					"and switch its service account on",
				c.realm.ClientID, reason(answer))
	case status != http.StatusOK:
		return "", &refused{status, reason(answer)}
	}
	if err := json.Unmarshal(answer, &got); err != nil || got.Token == "" {
		return "", fmt.Errorf("there is no Keycloak at %s: correct SALDO_IDP_UPSTREAM or SALDO_OIDC_ISSUER", c.realm.Base)
	}
	c.token, c.until = got.Token, c.clock().Add(time.Duration(got.Seconds)*time.Second-30*time.Second)
	return c.token, nil
}

// forget drops a token that Keycloak refused, unless another was fetched since.
func (c *Client) forget(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == token {
		c.token = ""
	}
}

func (c *Client) send(rq *http.Request) (status int, header http.Header, body []byte, err error) {
	answer, err := c.http.Do(rq)
	if err != nil {
		if rq.Context().Err() != nil {
			return 0, nil, nil, rq.Context().Err()
		}
		return 0, nil, nil, unreachable(c.realm.Base, err)
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(io.LimitReader(answer.Body, answerLimit))
	if err != nil {
		return 0, nil, nil, unreachable(c.realm.Base, err)
	}
	return answer.StatusCode, answer.Header, body, nil
}

func unreachable(base string, err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err // without the address, which may hold people's
	}
	return fmt.Errorf("the Keycloak does not answer at %s (%w): start it, or correct SALDO_IDP_UPSTREAM or SALDO_OIDC_ISSUER", base, err)
}

// reason is what Keycloak says went wrong, in any of its three forms.
func reason(answer []byte) string {
	var problem struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
		Message     string `json:"errorMessage"`
	}
	if json.Unmarshal(answer, &problem) != nil {
		return "no reason given"
	}
	for _, text := range []string{problem.Description, problem.Message, problem.Error} {
		if text != "" {
			return text
		}
	}
	return "no reason given"
}
