/** Migrations of a day's messages. */
export const DAY_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sequence (
    id INTEGER PRIMARY KEY,
    channel_group TEXT NOT NULL,
    channel_name TEXT NOT NULL,
    incarnation INTEGER NOT NULL,
    number INTEGER NOT NULL,
    epoch TEXT NOT NULL,
    UNIQUE (epoch, channel_group, channel_name, incarnation, number)
  ) STRICT;

  CREATE TABLE message (
    key INTEGER PRIMARY KEY,
    tail TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    player_id TEXT,
    player_name TEXT,
    text TEXT NOT NULL,
    -- NULL if it equals the text.
    original TEXT,
    -- NULL if it is the time in the id.
    at INTEGER,
    language TEXT,
    hits TEXT,
    deleted_at INTEGER
  ) STRICT;
  CREATE INDEX message_sequence ON message (sequence, seq);

  CREATE TABLE total (messages INTEGER NOT NULL) STRICT;
  INSERT INTO total VALUES (0);
  `,
]

/** Migrations of the sequences, which outlive the messages of a day. */
export const SEQUENCE_MIGRATIONS: readonly string[] = [
  `
  -- Sequences continue within a lineage. A start after a clean stop continues it; any other start begins a new one.
  CREATE TABLE lineage (id TEXT NOT NULL, is_sealed INTEGER NOT NULL) STRICT;
  INSERT INTO lineage VALUES ('', 0);

  -- The last sequence number of each channel number, and when a player last sent a message there.
  CREATE TABLE sequence (
    channel_group TEXT NOT NULL,
    channel_name TEXT NOT NULL,
    incarnation INTEGER NOT NULL,
    number INTEGER NOT NULL,
    lineage TEXT NOT NULL,
    epoch TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    last_chat_at INTEGER,
    PRIMARY KEY (channel_group, channel_name, incarnation, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE retraction (
    epoch TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (epoch, id)
  ) STRICT, WITHOUT ROWID;
  `,
]

/** Number of steps of `EARLIER_MIGRATIONS` that earlier versions know. */
export const LAST_EARLIER_SCHEMA = 5

/** Migrations of the single file that earlier versions kept all messages in. It is only read, until it expires. */
export const EARLIER_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE message (
    id TEXT NOT NULL UNIQUE,
    channel_group TEXT NOT NULL,
    channel_name TEXT NOT NULL,
    number INTEGER NOT NULL,
    epoch TEXT NOT NULL,
    seq INTEGER NOT NULL,
    player_id TEXT,
    player_name TEXT,
    text TEXT NOT NULL,
    original TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX message_sequence ON message (epoch, seq);
  CREATE INDEX message_player ON message (player_id, at);
  CREATE INDEX message_time ON message (at);
  `,
  `
  ALTER TABLE message ADD COLUMN deleted_at INTEGER;
  `,
  `
  ALTER TABLE message ADD COLUMN language TEXT;
  ALTER TABLE message ADD COLUMN hits TEXT NOT NULL DEFAULT '[]';
  `,
  `
  ALTER TABLE message ADD COLUMN incarnation INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE TABLE lineage (id TEXT NOT NULL, is_sealed INTEGER NOT NULL) STRICT;
  INSERT INTO lineage VALUES ('', 0);
  CREATE TABLE sequence (
    channel_group TEXT NOT NULL,
    channel_name TEXT NOT NULL,
    incarnation INTEGER NOT NULL,
    number INTEGER NOT NULL,
    lineage TEXT NOT NULL,
    epoch TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    last_chat_at INTEGER,
    UNIQUE (channel_group, channel_name, incarnation, number)
  ) STRICT;
  CREATE INDEX sequence_time ON sequence (at);
  CREATE INDEX message_deleted ON message (epoch, deleted_at) WHERE deleted_at IS NOT NULL;
  `,
  `
  -- Moved to the file of the sequences. Earlier versions no longer open this file.
  DROP TABLE lineage;
  DROP TABLE sequence;
  `,
]
