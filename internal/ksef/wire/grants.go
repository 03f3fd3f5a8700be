package wire

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"saldo/internal/kernel/official"
)

// Grant lets the company that is signed in issue invoices in a seller's name.
type Grant struct {
	ID     string
	Seller official.NIP
	Since  time.Time
}

type (
	grantsRequest struct {
		Query string   `json:"queryType"`
		Types []string `json:"permissionTypes"`
	}
	grantsAnswer struct {
		Grants []struct {
			ID     string     `json:"id"`
			Seller identifier `json:"authorizingEntityIdentifier"`
			Scope  string     `json:"authorizationScope"`
			Since  time.Time  `json:"startDate"`
		} `json:"authorizationGrants"`
		More bool `json:"hasMore"`
	}
	rightsRequest struct {
		State string `json:"permissionState"`
	}
	rightsAnswer struct {
		Permissions []struct {
			Scope string `json:"permissionScope"`
		} `json:"permissions"`
		More bool `json:"hasMore"`
	}
)

const selfInvoicing = "SelfInvoicing"

func paged(page int) url.Values {
	return url.Values{"pageSize": {"100"}, "pageOffset": {strconv.Itoa(page)}}
}

// Received are the grants that sellers have given, a hundred to a page from 0 on, and whether there are more.
func (c Client) Received(ctx context.Context, page int) (grants []Grant, more bool, err error) {
	var got grantsAnswer
	err = c.call(ctx, request{method: http.MethodPost, path: "/permissions/query/authorizations/grants", group: "other", query: paged(page),
		body: grantsRequest{"Received", []string{selfInvoicing}}}, &got)
	for _, g := range got.Grants {
		if g.Scope == selfInvoicing && g.Seller.Type == "Nip" {
			grants = append(grants, Grant{g.ID, official.NIP(g.Seller.Value), g.Since})
		}
	}
	return grants, got.More, err
}

// Rights are what whoever is signed in may do for the company.
func (c Client) Rights(ctx context.Context) (rights []string, err error) {
	for page := range 20 {
		var got rightsAnswer
		err := c.call(ctx, request{method: http.MethodPost, path: "/permissions/query/personal/grants", group: "other", query: paged(page),
			body: rightsRequest{"Active"}}, &got)
		if err != nil {
			return nil, err
		}
		for _, p := range got.Permissions {
			rights = append(rights, p.Scope)
		}
		if !got.More {
			break
		}
	}
	return rights, nil
}
