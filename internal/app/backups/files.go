package backups

import (
	"slices"

	"saldo/internal/platform/db"
)

// named are the columns that name files, by table, and for which rows the file must be there. A test finds a column that is not here.
var named = []struct{ table, file, rows string }{
	{"partners", "logo", "TRUE"},
	{"transactions", "evidence", "TRUE"},
	{"replaced_rows", "evidence", "TRUE"},
	{"unmatched_rows", "evidence", "TRUE"},
	{"imports", "blob_key", "TRUE"},
	{"invoice_files", "blob_key", "TRUE"},
	{"invoice_readings", "blob_key", "TRUE"},
	{"driver_document_images", "blob_key",
		"NOT EXISTS (SELECT 1 FROM driver_documents d WHERE d.tenant_id = t.tenant_id AND d.id = t.document_id AND d.erased_at <> '')"},
	{"contract_files", "blob_key", contractStands},
	{"contract_files", "sealed_key", contractStands},
	{"template_files", "blob_key", "TRUE"},
	{"tracking_photos", "blob_key", "gone_at = ''"},
	{"purchases", "blob_key", "TRUE"},
	{"ksef_receipts", "upo_key", "TRUE"},
	{"accountant_packs", "tenant_id || '/packs/' || id || '.zip'", "state = 'ready'"},
	{"accountant_packs", "tenant_id || '/packs/' || id || '.json'", "state = 'ready'"},
}

const contractStands = `NOT EXISTS (SELECT 1 FROM contracts c WHERE c.tenant_id = t.tenant_id AND c.id = t.contract_id
	AND (c.state = 'deleted' OR c.erased_at <> ''))`

// filesOf lists the files that rows name, each once.
func filesOf(tx *db.Tx) (keys []string, err error) {
	for _, n := range named {
		found, err := db.Select[string](tx.Across(), `SELECT `+n.file+` AS key FROM `+n.table+` t WHERE `+n.file+` <> '' AND `+n.rows)
		if err != nil {
			return nil, err
		}
		keys = append(keys, found...)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}
