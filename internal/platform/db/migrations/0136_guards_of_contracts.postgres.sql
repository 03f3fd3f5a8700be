-- Guards of contracts that the next step words anew.
DROP TRIGGER contracts_stand ON contracts;
DROP FUNCTION contracts_stand();
DROP TRIGGER signing_events_stay ON signing_events;
DROP FUNCTION signing_events_stay();
