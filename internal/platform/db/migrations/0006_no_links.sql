-- People sign in with a password now; the keys of the links' tokens sign nothing any more.
DROP TABLE sign_in_links;
DROP TABLE signing_keys;
