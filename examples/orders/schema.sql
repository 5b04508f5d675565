CREATE TABLE orders (
    id       text PRIMARY KEY,
    customer text NOT NULL,
    total    bigint NOT NULL,
    status   text NOT NULL
);

CREATE TABLE shipments (
    order_id text PRIMARY KEY REFERENCES orders (id),
    carrier  text NOT NULL
);

-- Events that have not been published yet. The relay deletes a row once the broker has it.
CREATE TABLE outbox (
    id      bigserial PRIMARY KEY,
    topic   text NOT NULL,
    key     text NOT NULL,
    payload jsonb NOT NULL
);
