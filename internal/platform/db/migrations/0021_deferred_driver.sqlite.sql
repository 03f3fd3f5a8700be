-- Whether a transaction's driver exists is asked at the end of the unit of work: asked row by row, SQLite keeps what each
-- statement changed so that it can undo it alone, which cost a large import a tenth of its time. Only the words that
-- describe the table change, none of its rows, as SQLite's manual of ALTER TABLE has it.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = REPLACE(sql, 'FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id)', 'FOREIGN KEY (tenant_id, driver_id) REFERENCES drivers (tenant_id, id) DEFERRABLE INITIALLY DEFERRED')
	WHERE type = 'table' AND name = 'transactions';
PRAGMA writable_schema = RESET;
-- every open connection reads the description anew
CREATE TABLE described_anew (one INTEGER);
DROP TABLE described_anew;
