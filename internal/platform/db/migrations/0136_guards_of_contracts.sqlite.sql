-- Guards of contracts that the next step words anew.
DROP TRIGGER contracts_stand;
DROP TRIGGER signing_events_stay;
