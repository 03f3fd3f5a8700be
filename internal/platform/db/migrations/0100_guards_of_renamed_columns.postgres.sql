-- Guards that name columns which the next step renames; it creates them again.
DROP TRIGGER payout_batches_stand ON payout_batches;
DROP FUNCTION payout_batches_stand();
DROP TRIGGER billing_documents_issued_stand ON billing_documents;
DROP FUNCTION billing_documents_issued_stand();
