package ksefd

import (
	"net/http"
	"slices"
	"time"
)

var ofGrants = map[string]func(*call) reply{
	"POST /permissions/authorizations/grants": (*call).grant, "DELETE /permissions/authorizations/grants/{permissionId}": (*call).revoke,
	"GET /permissions/operations/{referenceNumber}": (*call).operationStatus,
	"POST /permissions/query/authorizations/grants": (*call).queryGrants,
	"POST /permissions/query/personal/grants":       (*call).queryPersonal,
}

// grant lets one company do something in the name of another.
type grant struct {
	id, from, to, permission, description, name string
	since                                       time.Time
}

// operation is what KSeF does with permissions and certificates by itself.
type operation struct {
	nip    string
	code   int
	steps  int
	began  time.Time
	serial string
}

// Grant lets the buyer issue invoices in the seller's name, as the seller does it on the Ministry's pages.
func (s *Server) Grant(seller, buyer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants = append(s.grants, &grant{s.id("PE"), seller, buyer, "SelfInvoicing", "Samofakturowanie", "Flota", s.now()})
}

// Revoke takes back what Grant gave.
func (s *Server) Revoke(seller, buyer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants = slices.DeleteFunc(s.grants, func(g *grant) bool { return g.from == seller && g.to == buyer })
}

func (s *Server) granted(from, to, permission string) bool {
	return slices.ContainsFunc(s.grants, func(g *grant) bool { return g.from == from && g.to == to && g.permission == permission })
}

func (c *call) grant() reply {
	in := read[struct {
		SubjectIdentifier struct{ Value string }
		Permission        string
		Description       string
		SubjectDetails    struct{ FullName string }
	}](c)
	o := &operation{nip: c.who.nip, code: c.ending("permission"), steps: c.Steps, began: c.now()}
	if in.SubjectIdentifier.Value == c.who.nip {
		o.code = 410
	}
	if o.code == 200 && !c.granted(c.who.nip, in.SubjectIdentifier.Value, in.Permission) {
		c.grants = append(c.grants, &grant{c.id("PE"), c.who.nip, in.SubjectIdentifier.Value, in.Permission, in.Description,
			in.SubjectDetails.FullName,
			c.now()})
	}
	return c.runs(o)
}

func (c *call) runs(o *operation) reply {
	id := c.id("OP")
	c.operations[id] = o
	return reply{status: http.StatusAccepted, value: object{"referenceNumber": id}}
}

func (c *call) revoke() reply {
	o := &operation{nip: c.who.nip, code: 440, steps: c.Steps, began: c.now()}
	for n, g := range c.grants {
		if g.id == c.path["permissionId"] && g.from == c.who.nip {
			c.grants, o.code = slices.Delete(c.grants, n, n+1), c.ending("permission")
			break
		}
	}
	return c.runs(o)
}

func (c *call) operationStatus() reply {
	o := c.operations[c.path["referenceNumber"]]
	if o == nil || o.nip != c.who.nip {
		return c.bad(21405)
	}
	return ok(object{"status": status(o.now())})
}

func (o *operation) now() int {
	if o.steps > 0 {
		o.steps--
		return 100
	}
	return o.code
}

func (c *call) queryGrants() reply {
	in := read[struct {
		QueryType             string
		PermissionTypes       []string
		AuthorizingIdentifier *struct{ Value string }
		AuthorizedIdentifier  *struct{ Value string }
	}](c)
	var all []*grant
	for _, g := range c.grants {
		mine := in.QueryType == "Received" && g.to == c.who.nip || in.QueryType == "Granted" && g.from == c.who.nip
		switch {
		case !mine, len(in.PermissionTypes) > 0 && !slices.Contains(in.PermissionTypes, g.permission),
			in.AuthorizingIdentifier != nil && in.AuthorizingIdentifier.Value != g.from,
			in.AuthorizedIdentifier != nil && in.AuthorizedIdentifier.Value != g.to:
			continue
		}
		all = append(all, g)
	}
	part, more := page(c, all)
	list := []object{}
	for _, g := range part {
		list = append(list, object{"id": g.id, "authorIdentifier": object{"type": "Nip", "value": g.from},
			"authorizingEntityIdentifier": object{"type": "Nip", "value": g.from}, "authorizedEntityIdentifier": object{"type": "Nip",
				"value": g.to},
			"authorizationScope": g.permission, "description": g.description, "startDate": stamp(g.since),
			"subjectEntityDetails": object{"subjectDetailsType": "EntityByIdentifier", "fullName": g.name}})
	}
	return ok(object{"authorizationGrants": list, "hasMore": more})
}

func (c *call) queryPersonal() reply {
	part, more := page(c, c.who.rights)
	list := []object{}
	for _, p := range part {
		list = append(list, object{"id": c.id("PP"), "permissionScope": p, "permissionState": "Active", "description": "Uprawnienie właściciela",
			"startDate": stamp(c.who.began), "canDelegate": true, "contextIdentifier": object{"type": "Nip", "value": c.who.nip}})
	}
	return ok(object{"permissions": list, "hasMore": more})
}
