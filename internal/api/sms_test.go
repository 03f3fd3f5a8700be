package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/testkit"
)

const smsSettingsPath = "/api/sms-settings"

var smsAPISettings = map[string]any{"provider": "SMSAPI", "token": testkit.SMSAPIToken, "sender": "Wrzos", "partCost": 9, "monthParts": 500}

func TestSMSSettings_NeverGiveBackTheSecret(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if text := w.must(t, 200, "partner", "GET", smsSettingsPath, nil); !strings.Contains(text, `"on":false`) || !strings.Contains(text, `"monthParts":500`) {
			t.Error(text)
		}
		w.must(t, 204, "partner", "PUT", smsSettingsPath, smsAPISettings)
		kept := with(smsAPISettings, "sender", "Inny")
		delete(kept, "token")
		w.must(t, 204, "partner", "PUT", smsSettingsPath, kept)
		text := w.must(t, 200, "partner", "GET", smsSettingsPath, nil)
		if strings.Contains(text, "token") || !strings.Contains(text, `"on":true`) || !strings.Contains(text, `"sender":"Inny"`) {
			t.Error(text)
		}
		if text := w.must(t, 200, "other", "GET", smsSettingsPath, nil); strings.Contains(text, "Inny") || strings.Contains(text, `"on":true`) {
			t.Error(text)
		}
		// another provider needs its own credentials
		text = w.must(t, 422, "partner", "PUT", smsSettingsPath, with(kept, "provider", "TWILIO", "sender", "+48111222333"))
		if !strings.Contains(text, "messages.invalid") {
			t.Error(text)
		}
		for range 2 {
			w.must(t, 204, "partner", "DELETE", smsSettingsPath, nil)
		}
		if text := w.must(t, 200, "partner", "GET", smsSettingsPath, nil); !strings.Contains(text, `"on":false`) || !strings.Contains(text, `"sender":"Inny"`) {
			t.Error(text)
		}
	})
}

// texted is a message by SMS to a driver with a number, and the id of the SMS, which was attempted.
func (w *world) texted(t *testing.T) (message, sms string) {
	t.Helper()
	driver := w.addDriver(t, "partner", with(driverOf("Nowak"), "email", "", "phone", "+48500100200"))
	body := messageTo(driver)
	body["channel"] = []string{"SMS"}
	message = w.sendMessage(t, body)
	testkit.Write(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) {
		if sms, err = db.One[string](tx, `SELECT id FROM message_sms WHERE tenant_id = $1 AND message_id = $2`, message); err != nil {
			return err
		}
		_, err = tx.Exec(`UPDATE message_sms SET attempted_at = $3 WHERE tenant_id = $1 AND id = $2`, sms, tx.Now)
		return err
	})
	return message, sms
}

// reportSecret is that of north's report addresses.
func (w *world) reportSecret(t *testing.T) string {
	t.Helper()
	var sealed string
	testkit.Read(t, w.app.DB(), access.ProgramFor("north", "test"), func(tx *db.Tx) (err error) {
		sealed, err = db.One[string](tx, `SELECT sealed FROM sms_settings WHERE tenant_id = $1`)
		return err
	})
	content, err := w.vault.Unseal("north", "sms credentials", sealed)
	if err != nil {
		t.Fatal(err)
	}
	var c struct{ ReportSecret string }
	if err := json.Unmarshal(content, &c); err != nil || len(c.ReportSecret) < 20 {
		t.Fatalf("%v %d", err, len(c.ReportSecret))
	}
	return c.ReportSecret
}

// provider calls an address as a provider does.
func (w *world) provider(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	rq, err := http.NewRequest(method, w.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	rq.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(rq)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text)
}

func TestSMSReports_ComeWithoutSigningIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.must(t, 204, "partner", "PUT", smsSettingsPath, smsAPISettings)
		message, sms := w.texted(t)
		secret := w.reportSecret(t)
		if text := w.must(t, 200, "partner", "GET", "/api/jobs", nil); !strings.Contains(text, `"jobs":[]`) {
			t.Errorf("each SMS is work of its own: %s", text)
		}
		path := "/api/sms/smsapi/status?" + url.Values{"secret": {secret}}.Encode()
		report := url.Values{"MsgId": {"ref1"}, "status": {"404"}, "idx": {sms}, "to": {"48500100200"}}.Encode()
		recipients := func() string { return w.must(t, 200, "partner", "GET", messagesPath+"/"+message+"/recipients", nil) }
		for name, c := range map[string]struct {
			method, path, body string
			status             int
		}{
			"no secret":        {"POST", "/api/sms/smsapi/status", report, 403},
			"another secret":   {"POST", path + "x", report, 403},
			"another provider": {"POST", strings.Replace(path, "smsapi", "twilio", 1), report, 403},
			"no such provider": {"POST", strings.Replace(path, "smsapi", "pigeon", 1), report, 404},
			"too large":        {"POST", path, report + "&more=" + strings.Repeat("a", 64<<10), 413},
			"an unknown id":    {"POST", path, url.Values{"MsgId": {"x"}, "status": {"404"}, "idx": {"unknown"}}.Encode(), 200},
			"nonsense":         {"POST", path, "%%%", 403},
		} {
			if status, text := w.provider(t, c.method, c.path, c.body); status != c.status || strings.Contains(text, canary) {
				t.Errorf("%s: %d %s", name, status, text)
			}
		}
		// whoever is signed in reports no more than anybody: what counts is the secret
		for _, who := range columns {
			for _, provider := range []string{"smsapi", "twilio"} {
				w.must(t, 403, who, "POST", "/api/sms/"+provider+"/status", []byte(report))
			}
		}
		if text := recipients(); !strings.Contains(text, `"sms":"queued"`) {
			t.Error(text)
		}
		for range 2 {
			if status, text := w.provider(t, "POST", path, report); status != 200 || text != "OK" {
				t.Errorf("%d %s", status, text)
			}
		}
		if text := recipients(); !strings.Contains(text, `"sms":"delivered"`) {
			t.Error(text)
		}
		_, sms = w.texted(t)
		if status, text := w.provider(t, "GET", path+"&MsgId=ref2&status=405&idx="+sms, ""); status != 200 || text != "OK" {
			t.Errorf("%d %s", status, text)
		}
	})
}

func TestSMSPreview_SaysPartsAndCost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		driver := w.addDriver(t, "partner", with(driverOf("Nowak"), "email", "", "phone", "+48500100200"))
		body := with(messageTo(driver), "channel", []string{"SMS", "BOARD"})
		if text := w.must(t, 409, "partner", "POST", messagesPath+"/preview", body); !strings.Contains(text, "messages.sms_off") {
			t.Error(text)
		}
		w.must(t, 204, "partner", "PUT", smsSettingsPath, with(smsAPISettings, "monthParts", 1))
		text := w.must(t, 200, "partner", "POST", messagesPath+"/preview", body)
		for _, want := range []string{`"parts":1`, `"cost":9`, `"left":1`, `"most":1`, `"unicode":true`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s", text, want)
			}
		}
		if text := w.must(t, 200, "partner", "POST", messagesPath+"/preview", with(body, "plainLetters", true)); !strings.Contains(text, `"unicode":false`) {
			t.Error(text)
		}
		w.sendMessage(t, body)
		text = w.must(t, 409, "partner", "POST", messagesPath, body)
		if !strings.Contains(text, "messages.sms_cap") || !strings.Contains(text, `"left":"0"`) {
			t.Error(text)
		}
	})
}
