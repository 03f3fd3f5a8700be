-- Guards that name columns which the next step renames; it creates them again.
DROP TRIGGER payout_batches_stand;
DROP TRIGGER billing_documents_issued_stand;
