package access

import "testing"

func TestADriverCannotDoWhatAPartnerDoes(t *testing.T) {
	driver, partner := Actor{Role: Driver}, Actor{Role: Partner}
	for _, p := range []Permission{TagsRead, TagsWrite, JobsRead, JobsWrite, LimitsRead, TermsRead, TermsWrite} {
		if driver.May(p) {
			t.Errorf("a driver may %s", p)
		}
		if !partner.May(p) {
			t.Errorf("a partner may not %s", p)
		}
	}
}

func TestAnonymous_MayOnlyWhatIsPublic(t *testing.T) {
	if got := Nobody().Permissions(); len(got) != 0 {
		t.Errorf("nobody holds %v", got)
	}
	if !Nobody().May(Public) {
		t.Error("a public route is closed to anonymous requests")
	}
}

func TestEveryGrantedPermissionIsListed(t *testing.T) {
	for role, held := range granted {
		for _, p := range held {
			if !Known(p) {
				t.Errorf("%s holds %s, which Permissions does not list", role, p)
			}
		}
	}
}

func TestTheSystemHoldsNoPermission(t *testing.T) {
	for _, p := range append(Permissions(), Public) {
		if Program("jobs").May(p) {
			t.Errorf("the system may %s through a route", p)
		}
	}
}
