CREATE TABLE fees (
    id uuid PRIMARY KEY,
    deposit_id text NOT NULL,
    amount bigint NOT NULL
);

CREATE TABLE receipts (
    id bigserial PRIMARY KEY,
    deposit_id text NOT NULL UNIQUE,
    amount bigint NOT NULL
);

CREATE TABLE charges (
    id bigserial PRIMARY KEY,
    account text NOT NULL,
    amount bigint NOT NULL
);
