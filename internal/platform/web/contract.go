package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

const (
	keyRef      = "#/components/parameters/IdempotencyKey"
	replayed    = "Idempotency-Replayed"
	replayedRef = "#/components/headers/Replayed"
	doneRef     = "#/components/responses/Done"
)

// often is how many operations have a parameter that is described once and referred to.
const often = 3

// Contract is the OpenAPI description of all operations, the same bytes for
// the same routes. What many operations share is described once and referred to.
func (r *Router) Contract() ([]byte, error) {
	api := r.api.OpenAPI()
	var ops []*huma.Operation
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		item := api.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op != nil {
				ops = append(ops, op)
			}
		}
	}
	for _, op := range ops { // requests are compared with them too
		all := op.Parameters
		op.Parameters = slices.Clone(all)
		defer func() { op.Parameters = all }()
	}
	if err := r.shareParameters(ops); err != nil {
		return nil, err
	}
	for _, op := range ops {
		r.shareAnswers(op)
	}
	if err := r.nameAnswers(ops); err != nil {
		return nil, err
	}
	contract, err := json.Marshal(api)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = lay(&out, contract, 0)
	out.WriteByte('\n')
	return out.Bytes(), err
}

// shareParameters puts references in the place of the parameters that many operations have.
func (r *Router) shareParameters(ops []*huma.Operation) error {
	having := map[string][]**huma.Param{} // by how it is written
	var order []string
	for _, op := range ops {
		for i, p := range op.Parameters {
			if p.Ref != "" {
				continue
			}
			if p.Schema.Description == p.Description {
				p.Schema.Description = "" // huma says it twice
			}
			if p.Schema.Type != huma.TypeArray {
				p.Explode = nil // which speaks of lists only
			}
			written, err := json.Marshal(p)
			if err != nil {
				return err
			}
			if key := string(written); having[key] == nil {
				order = append(order, key)
			}
			having[string(written)] = append(having[string(written)], &op.Parameters[i])
		}
	}
	components := r.api.OpenAPI().Components
	parameters := map[string]*huma.Param{"IdempotencyKey": components.Parameters["IdempotencyKey"]}
	components.Parameters = parameters
	for _, key := range order {
		all := having[key]
		if len(all) < often {
			continue
		}
		name := (*all[0]).Name
		for n := 2; parameters[name] != nil; n++ {
			name = (*all[0]).Name + strconv.Itoa(n)
		}
		parameters[name] = *all[0]
		for _, p := range all {
			*p = &huma.Param{Ref: "#/components/parameters/" + name}
		}
	}
	return nil
}

// shareAnswers puts references in the place of the answers and headers that many operations have.
func (r *Router) shareAnswers(op *huma.Operation) {
	for status, answer := range op.Responses {
		if answer.Headers[replayed] == nil {
			continue
		}
		answer.Headers[replayed] = &huma.Param{Ref: replayedRef}
		if len(answer.Content) == 0 && len(answer.Headers) == 1 && status == "204" {
			r.api.OpenAPI().Components.Responses["Done"] = answer
			op.Responses[status] = &huma.Response{Ref: doneRef}
		}
	}
}

// nameAnswers puts references in the place of answers that many operations have, each under the name of its schema.
func (r *Router) nameAnswers(ops []*huma.Operation) error {
	type place struct {
		op     *huma.Operation
		status string
	}
	having := map[string][]place{} // by how it is written
	var order []string
	for _, op := range ops {
		for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
			answer := op.Responses[status]
			if answer.Content["application/json"] == nil || answer.Content["application/json"].Schema.Ref == "" {
				continue
			}
			written, err := json.Marshal(answer)
			if err != nil {
				return err
			}
			key := status + string(written)
			if having[key] == nil {
				order = append(order, key)
			}
			having[key] = append(having[key], place{op, status})
		}
	}
	responses := r.api.OpenAPI().Components.Responses
	for _, key := range order {
		all := having[key]
		if len(all) < often {
			continue
		}
		answer := all[0].op.Responses[all[0].status]
		_, schema, _ := strings.Cut(answer.Content["application/json"].Schema.Ref, "schemas/")
		name := schema
		for n := 2; responses[name] != nil; n++ {
			name = schema + strconv.Itoa(n)
		}
		responses[name] = answer
		for _, at := range all {
			at.op.Responses[at.status] = &huma.Response{Ref: "#/components/responses/" + name}
		}
	}
	return nil
}

// lineMost is how long a line of the contract may be before what stands on it is spread over several.
const lineMost = 320

// indentMost is how far lines are indented: thousands of them are of properties, and spaces before each make the contract a tenth longer.
const indentMost = 3

// lay writes JSON so that changes can be read: what fits stands on one line, and so do lists of words; else each entry has its own.
func lay(out *bytes.Buffer, text json.RawMessage, depth int) error {
	if depth+len(text) <= lineMost || text[0] != '{' && !bytes.HasPrefix(text, []byte("[{")) {
		out.Write(text)
		return nil
	}
	read := json.NewDecoder(bytes.NewReader(text))
	if _, err := read.Token(); err != nil {
		return err
	}
	begin, end := "\n"+strings.Repeat(" ", min(depth+1, indentMost)), "\n"+strings.Repeat(" ", min(depth, indentMost))
	out.WriteByte(text[0])
	for first := true; read.More(); first = false {
		if !first {
			out.WriteByte(',')
		}
		out.WriteString(begin)
		if text[0] == '{' {
			name, err := read.Token()
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%q:", name)
		}
		var value json.RawMessage
		if err := read.Decode(&value); err != nil {
			return err
		}
		if err := lay(out, value, depth+1); err != nil {
			return err
		}
	}
	out.WriteString(end)
	out.WriteByte(text[len(text)-1])
	return nil
}
