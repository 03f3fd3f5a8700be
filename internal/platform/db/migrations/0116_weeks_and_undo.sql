-- The week whose days and payouts the text of a message names; empty: none. Drivers without a settlement of it do not get the message.
ALTER TABLE messages ADD COLUMN period TEXT NOT NULL DEFAULT '';

-- What holds no longer was taken back, also where the driver had deleted it: it is not restored.
ALTER TABLE notes ADD COLUMN taken_back BOOLEAN NOT NULL DEFAULT FALSE;
