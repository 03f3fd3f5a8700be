-- The week whose days and payouts the text of a message names; empty: none. Drivers without a settlement of it do not get the message.
ALTER TABLE messages ADD COLUMN period TEXT NOT NULL DEFAULT '';
