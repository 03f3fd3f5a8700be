package api

import (
	"net/http"
	"time"

	"saldo/internal/kernel/access"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
	"saldo/internal/schemas"
	"saldo/internal/schemas/rules"
)

func (s Settings) schemasRoutes(r *web.Router) {
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-schemas", Name: "schemas", Permission: access.SchemasRead,
		Summary: "All schemas of the partner, the default one first"}, listSchemas)
	web.Write(r, web.Route{Method: post, Path: "/api/settlement-schemas", Name: "add-schema",
		Permission: access.SchemasWrite, Status: http.StatusCreated,
		Summary: "Make a schema"}, s.addSchema)
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-schemas/{schemaNumber}", Name: "schema", Permission: access.SchemasRead,
		Summary: "One schema"}, oneSchema)
	web.Write(r, web.Route{Method: put, Path: "/api/settlement-schemas/{schemaNumber}", Name: "save-schema",
		Permission: access.SchemasWrite,
		Summary:    "Replace the rules of a schema by a new version"}, s.saveSchema)
	web.Write(r, web.Route{Method: del, Path: "/api/settlement-schemas/{schemaNumber}", Name: "remove-schema",
		Permission: access.SchemasWrite,
		Summary:    "Delete a schema that nobody is settled by"}, removeSchema)
	web.Write(r, web.Route{Method: post, Path: "/api/settlement-schemas/{schemaNumber}/default", Name: "set-default-schema",
		Permission: access.SchemasWrite,
		Summary:    "Make a schema the default one"}, setDefaultSchema)
	web.Write(r, web.Route{Method: post, Path: "/api/settlement-schemas/{schemaNumber}/copy", Name: "copy-schema",
		Permission: access.SchemasWrite, Status: http.StatusCreated,
		Summary: "Make a schema with the rules of another"}, copySchema)
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-schemas/{schemaNumber}/drivers", Name: "schema-drivers",
		Permission: access.SchemasRead,
		Summary:    "Who is settled by a schema"}, schemaDrivers)
	web.Read(r, web.Route{Method: get, Path: "/api/settlement-schemas/{schemaNumber}/history", Name: "schema-history",
		Permission: access.SchemasRead,
		Summary:    "What a schema said before"}, schemaHistory)
}

// SettlementSchema is a schema in JSON. Its rules have the same shape in the
// store and in settlements.
type SettlementSchema struct {
	SchemaNumber int64     `json:"schemaNumber" doc:"counts per partner, from 1"`
	Version      int64     `json:"version" doc:"grows with every edit"`
	IsDefault    bool      `json:"isDefault"`
	Drivers      int64     `json:"drivers" doc:"how many are settled by it; of the default also those without a schema of their own"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
	UpdatedBy    string    `json:"updatedBy" doc:"a person's name; empty: the program"`
	rules.Rules
}

func schemaOf(s schemas.Schema) SettlementSchema {
	return SettlementSchema{s.Number, s.Version, s.IsDefault, s.Drivers, s.CreatedAt, s.UpdatedAt, s.UpdatedBy, s.Rules}
}

// SettlementSchemaList is all schemas of a partner.
type SettlementSchemaList struct {
	Schemas []SettlementSchema `json:"schemas" nullable:"false"`
}

// numbered is the input of an operation on one schema.
type numbered struct {
	SchemaNumber int64 `path:"schemaNumber"`
}

func listSchemas(tx *db.Tx, _ *nothing) (list SettlementSchemaList, err error) {
	found, err := schemas.List(tx)
	list.Schemas = make([]SettlementSchema, len(found))
	for i, s := range found {
		list.Schemas[i] = schemaOf(s)
	}
	return list, err
}

func oneSchema(tx *db.Tx, in *numbered) (SettlementSchema, error) {
	s, err := schemas.Get(tx, in.SchemaNumber)
	return schemaOf(s), err
}

// NewSettlementSchema is what a schema is made of.
type NewSettlementSchema struct{ rules.Rules }

// local refuses rules that the instance does not know: a choice of the rate on invoices is German.
func (s Settings) local(r rules.Rules) error {
	if s.Instance.Code != "de" && r.InvoiceVAT != rules.Reduced && r.InvoiceVAT != "" {
		return schemas.ErrInvalid.Field("invoiceVat", fault.NotOneOf)
	}
	return nil
}

func (s Settings) addSchema(tx *db.Tx, in *struct{ Body NewSettlementSchema }) (SettlementSchema, error) {
	if err := s.local(in.Body.Rules); err != nil {
		return SettlementSchema{}, err
	}
	made, err := schemas.Add(tx, in.Body.Rules)
	return schemaOf(made), err
}

// SettlementSchemaChanges replaces the rules of a schema.
type SettlementSchemaChanges struct {
	Version int64 `json:"version" doc:"that of the schema the change was made from; refused when somebody saved meanwhile"`
	rules.Rules
}

func (s Settings) saveSchema(tx *db.Tx, in *struct {
	SchemaNumber int64 `path:"schemaNumber"`
	Body         SettlementSchemaChanges
}) (SettlementSchema, error) {
	if err := s.local(in.Body.Rules); err != nil {
		return SettlementSchema{}, err
	}
	saved, err := schemas.Save(tx, in.SchemaNumber, in.Body.Version, in.Body.Rules)
	return schemaOf(saved), err
}

func removeSchema(tx *db.Tx, in *numbered) (web.None, error) {
	return web.None{}, schemas.Remove(tx, in.SchemaNumber)
}

func setDefaultSchema(tx *db.Tx, in *numbered) (web.None, error) {
	return web.None{}, schemas.SetDefault(tx, in.SchemaNumber)
}

// SettlementSchemaCopy says what a copy is called.
type SettlementSchemaCopy struct {
	Name string `json:"name" doc:"1 to 100 characters"`
}

func copySchema(tx *db.Tx, in *struct {
	SchemaNumber int64 `path:"schemaNumber"`
	Body         SettlementSchemaCopy
}) (SettlementSchema, error) {
	s, err := schemas.Copy(tx, in.SchemaNumber, in.Body.Name)
	return schemaOf(s), err
}

// SettledDriver is a driver as a schema's list names them.
type SettledDriver struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// SettledDriverList is the first of those who are settled by a schema.
type SettledDriverList struct {
	Drivers []SettledDriver `json:"drivers" nullable:"false" doc:"at most 50, by name"`
	Total   int64           `json:"total"`
}

func schemaDrivers(tx *db.Tx, in *numbered) (list SettledDriverList, err error) {
	first, total, err := schemas.Drivers(tx, in.SchemaNumber)
	list = SettledDriverList{make([]SettledDriver, len(first)), total}
	for i, d := range first {
		list.Drivers[i] = SettledDriver(d)
	}
	return list, err
}

// SettlementSchemaVersion is what a schema said from one edit to the next.
type SettlementSchemaVersion struct {
	Version   int64     `json:"version"`
	CreatedAt time.Time `json:"createdAt"`
	CreatedBy string    `json:"createdBy" doc:"a person's name; empty: the program"`
	rules.Rules
}

// SettlementSchemaHistory is the newest versions of a schema.
type SettlementSchemaHistory struct {
	Versions []SettlementSchemaVersion `json:"versions" nullable:"false" doc:"at most 100, the newest first"`
}

func schemaHistory(tx *db.Tx, in *numbered) (h SettlementSchemaHistory, err error) {
	found, err := schemas.History(tx, in.SchemaNumber)
	h.Versions = make([]SettlementSchemaVersion, len(found))
	for i, v := range found {
		h.Versions[i] = SettlementSchemaVersion{v.Version, v.CreatedAt, v.CreatedBy, v.Rules}
	}
	return h, err
}
