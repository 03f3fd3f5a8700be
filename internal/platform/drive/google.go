package drive

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"saldo/internal/platform/outbound"
)

// GoogleApp is the program as an operator registered it at Google. Whoever connects a drive lets it touch the files that it made, and no
// others.
type GoogleApp struct {
	ID, Secret string
	// Sites are where Google answers; the zero value: where it does.
	Sites GoogleSites
}

// GoogleSites are addresses without a slash at their ends.
type GoogleSites struct{ Consent, Token, API, Upload string }

func (s GoogleSites) orGoogle() GoogleSites {
	if s == (GoogleSites{}) {
		return GoogleSites{"https://accounts.google.com/o/oauth2/v2/auth", "https://oauth2.googleapis.com/token",
			"https://www.googleapis.com/drive/v3", "https://www.googleapis.com/upload/drive/v3"}
	}
	return s
}

// scope lets a program see and change only what it made itself.
const scope = "https://www.googleapis.com/auth/drive.file"

// Consent is the page on which a person lets the program in; Google leads back to an address with the state and a code. challenge is the
// SHA-256 of the verifier that Exchange needs, in base64 for addresses.
func (a GoogleApp) Consent(back, state, challenge string) string {
	return a.Sites.orGoogle().Consent + "?" + url.Values{"client_id": {a.ID}, "redirect_uri": {back}, "response_type": {"code"},
		"scope": {scope}, "state": {state}, "code_challenge": {challenge}, "code_challenge_method": {"S256"},
		"access_type": {"offline"}, "prompt": {"consent"}}.Encode()
}

// Exchange gives the lasting token for a code.
func (a GoogleApp) Exchange(ctx context.Context, client *http.Client, code, verifier, back string) (token string, err error) {
	var out struct {
		Refresh string `json:"refresh_token"`
	}
	err = a.token(ctx, client, url.Values{"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier},
		"redirect_uri": {back}}, &out)
	if err == nil && out.Refresh == "" {
		err = Denied
	}
	return out.Refresh, err
}

func (a GoogleApp) token(ctx context.Context, client *http.Client, form url.Values, into any) error {
	form.Set("client_id", a.ID)
	form.Set("client_secret", a.Secret)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.Sites.orGoogle().Token, strings.NewReader(form.Encode()))
	if err != nil {
		return Unexpected
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := client.Do(r)
	if err != nil {
		return unreached(err)
	}
	defer func() { _ = answer.Body.Close() }()
	switch {
	case answer.StatusCode == http.StatusBadRequest: // invalid_grant: it was taken back, or is too old
		return Denied
	case answer.StatusCode != http.StatusOK:
		return problemOf(answer.StatusCode)
	case json.NewDecoder(io.LimitReader(answer.Body, 1<<16)).Decode(into) != nil:
		return Unexpected
	}
	return nil
}

func unreached(err error) error {
	if errors.Is(err, outbound.ErrPrivate) {
		return Private
	}
	return Away // the error names the address
}

// Google is the drive of a Google account, from its top.
type Google struct {
	app     GoogleApp
	sites   GoogleSites
	refresh string
	http    *http.Client

	mu      sync.Mutex
	access  string
	until   time.Time         // what access is good for
	folders map[string]string // ids by path

	making sync.Mutex // of folders: Google would make two of one name
}

// NewGoogle connects the drive of a lasting token.
func NewGoogle(app GoogleApp, refresh string, client *http.Client) *Google {
	return &Google{app: app, sites: app.Sites.orGoogle(), refresh: refresh, http: client, folders: map[string]string{"": "root"}}
}

// bearer is a token for the next requests.
func (g *Google) bearer(ctx context.Context) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.access != "" && time.Now().Before(g.until) {
		return g.access, nil
	}
	var out struct {
		Access  string `json:"access_token"`
		Expires int64  `json:"expires_in"`
	}
	if err := g.app.token(ctx, g.http, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.refresh}}, &out); err != nil {
		return "", err
	}
	if out.Access == "" {
		return "", Unexpected
	}
	g.access, g.until = out.Access, time.Now().Add(time.Duration(out.Expires)*time.Second-time.Minute)
	return g.access, nil
}

// do sends a request and reads its answer as JSON; into may be nil. What is not a success is a problem.
func (g *Google) do(ctx context.Context, method, address string, size int64, body io.Reader, header http.Header,
	into any) (http.Header, error) {
	token, err := g.bearer(ctx)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, Unexpected
	}
	if header != nil {
		r.Header = header
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if body != nil {
		r.ContentLength = size
	}
	answer, err := g.http.Do(r)
	if err != nil {
		return nil, unreached(err)
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return nil, Away
	}
	if answer.StatusCode >= http.StatusMultipleChoices {
		return nil, problemOfGoogle(answer.StatusCode, content)
	}
	if into != nil && json.Unmarshal(content, into) != nil {
		return nil, Unexpected
	}
	return answer.Header, nil
}

// problemOfGoogle reads what Google says: 403 stands for much.
func problemOfGoogle(status int, content []byte) error {
	var out struct {
		Error struct {
			Errors []struct {
				Reason string `json:"reason"`
			} `json:"errors"`
		} `json:"error"`
	}
	_ = json.Unmarshal(content, &out) // what is not understood has no reason
	if status == http.StatusForbidden && len(out.Error.Errors) > 0 {
		switch out.Error.Errors[0].Reason {
		case "storageQuotaExceeded", "teamDriveFileLimitExceeded", "numChildrenInNonRootLimitExceeded":
			return NoSpace
		case "rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "sharingRateLimitExceeded":
			return Busy
		}
	}
	return problemOf(status)
}

// quoted is a text in a query of Google's.
func quoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

const folderType = "application/vnd.google-apps.folder"

// entry is a file or folder as Google lists it.
type entry struct {
	ID   string `json:"id"`
	Size string `json:"size"`
	Sum  string `json:"sha256Checksum"`
	Type string `json:"mimeType"`
}

// named are the files and folders of a name in a folder: there may be several.
func (g *Google) named(ctx context.Context, folder, name string) ([]entry, error) {
	var out struct {
		Files []entry `json:"files"`
	}
	query := url.Values{"q": {"name = " + quoted(name) + " and " + quoted(folder) + " in parents and trashed = false"},
		"fields": {"files(id,size,sha256Checksum,mimeType)"}, "orderBy": {"createdTime"}, "pageSize": {"100"}}
	_, err := g.do(ctx, http.MethodGet, g.sites.API+"/files?"+query.Encode(), 0, nil, nil, &out)
	return out.Files, err
}

// folder is the id of a folder, which is made where it is not there.
func (g *Google) folder(ctx context.Context, path string) (id string, err error) {
	g.making.Lock()
	defer g.making.Unlock()
	return g.folderBelow(ctx, path)
}

func (g *Google) folderBelow(ctx context.Context, path string) (id string, err error) {
	if id, there := g.folders[path]; there {
		return id, nil
	}
	above, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		above, name = path[:i], path[i+1:]
	}
	parent, err := g.folderBelow(ctx, above)
	if err != nil {
		return "", err
	}
	found, err := g.named(ctx, parent, name)
	if err != nil {
		return "", err
	}
	for _, one := range found {
		if one.Type == folderType && id == "" {
			id = one.ID
		}
	}
	if id == "" {
		var made entry
		body, _ := json.Marshal(map[string]any{"name": name, "mimeType": folderType, "parents": []string{parent}})
		if _, err := g.do(ctx, http.MethodPost, g.sites.API+"/files?fields=id", int64(len(body)), strings.NewReader(string(body)),
			http.Header{"Content-Type": {"application/json"}}, &made); err != nil {
			return "", err
		}
		id = made.ID
	}
	g.folders[path] = id
	return id, nil
}

func (g *Google) forget() {
	g.making.Lock()
	defer g.making.Unlock()
	g.folders = map[string]string{"": "root"}
}

// Put uploads; Google shows a file when all of it is there.
func (g *Google) Put(ctx context.Context, f File) error {
	above, name := "", f.Path
	if i := strings.LastIndexByte(f.Path, '/'); i >= 0 {
		above, name = f.Path[:i], f.Path[i+1:]
	}
	folder, err := g.folder(ctx, above)
	if err != nil {
		return err
	}
	found, err := g.named(ctx, folder, name)
	if err != nil {
		return err
	}
	for _, one := range found {
		if one.Size == strconv.FormatInt(f.Size, 10) && one.Sum == hex.EncodeToString(f.Sum[:]) {
			return nil
		}
	}
	if len(found) > 0 {
		return ErrOther
	}
	if _, err = g.upload(ctx, folder, name, f); errors.Is(err, NoFolder) {
		g.forget() // somebody removed a folder: it is made again with the next try
		return Busy
	}
	return err
}

// upload asks for an address for one file, and brings it there as a whole.
func (g *Google) upload(ctx context.Context, folder, name string, f File) (made entry, err error) {
	body, _ := json.Marshal(map[string]any{"name": name, "parents": []string{folder}})
	answer, err := g.do(ctx, http.MethodPost, g.sites.Upload+"/files?uploadType=resumable&fields=id", int64(len(body)),
		strings.NewReader(string(body)), http.Header{"Content-Type": {"application/json; charset=utf-8"},
			"X-Upload-Content-Type": {f.Type}, "X-Upload-Content-Length": {strconv.FormatInt(f.Size, 10)}}, nil)
	if err != nil {
		return made, err
	}
	to, err := url.Parse(answer.Get("Location"))
	site, wrong := url.Parse(g.sites.Upload)
	if err != nil || wrong != nil || to.Scheme != site.Scheme || to.Host != site.Host {
		return made, Unexpected // our token goes nowhere else
	}
	content, err := f.Open()
	if err != nil {
		return made, err
	}
	defer func() { _ = content.Close() }()
	var from io.Reader = content
	if f.Size == 0 {
		from = http.NoBody
	}
	_, err = g.do(ctx, http.MethodPut, to.String(), f.Size, from, http.Header{"Content-Type": {f.Type}}, &made)
	return made, err
}

// about says whose drive it is and what room there is.
func (g *Google) about(ctx context.Context) (account string, free int64, err error) {
	var out struct {
		User struct {
			Email string `json:"emailAddress"`
		} `json:"user"`
		Quota struct {
			Limit string `json:"limit"`
			Usage string `json:"usage"`
		} `json:"storageQuota"`
	}
	const fields = "user(emailAddress),storageQuota(limit,usage)"
	if _, err := g.do(ctx, http.MethodGet, g.sites.API+"/about?fields="+fields, 0, nil, nil, &out); err != nil {
		return "", Unknown, err
	}
	limit, err := strconv.ParseInt(out.Quota.Limit, 10, 64)
	usage, wrong := strconv.ParseInt(out.Quota.Usage, 10, 64)
	if err != nil || wrong != nil { // some accounts have no limit
		return out.User.Email, Unknown, nil
	}
	return out.User.Email, max(0, limit-usage), nil
}

// Account is the address of the account that let the program in.
func (g *Google) Account(ctx context.Context) (string, error) {
	account, _, err := g.about(ctx)
	return account, err
}

// Free asks the account.
func (g *Google) Free(ctx context.Context) (int64, error) {
	_, free, err := g.about(ctx)
	return free, err
}

// Test writes and removes a small file.
func (g *Google) Test(ctx context.Context) error {
	const text = "Saldo can write here.\n"
	made, err := g.upload(ctx, "root", ".saldo-test", File{Size: int64(len(text)), Type: "text/plain",
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }})
	if err != nil {
		return err
	}
	_, _ = g.do(ctx, http.MethodDelete, g.sites.API+"/files/"+url.PathEscape(made.ID), 0, nil, nil, nil)
	return nil
}
