CREATE TABLE inbox_loose (
    id bigserial PRIMARY KEY,
    message_id text NOT NULL
);

CREATE TABLE inbox_strict (
    id bigserial PRIMARY KEY,
    message_id text NOT NULL
);

CREATE UNIQUE INDEX inbox_strict_message ON inbox_strict (message_id);

CREATE TABLE inbox_wide (
    message_id text NOT NULL,
    consumer text NOT NULL,
    attempt int NOT NULL,
    PRIMARY KEY (message_id, consumer, attempt)
);

CREATE TABLE inbox_paired (
    message_id text NOT NULL,
    consumer text NOT NULL,
    PRIMARY KEY (consumer, message_id)
);
