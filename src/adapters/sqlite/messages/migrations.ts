/** Migrations of the message log. It has its own file: it is large, and no decision depends on it. */
export const MESSAGE_MIGRATIONS: readonly string[] = [
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
    UNIQUE (channel_group, channel_name, incarnation, number)
  ) STRICT;
  CREATE INDEX sequence_time ON sequence (at);
  CREATE INDEX message_deleted ON message (epoch, deleted_at) WHERE deleted_at IS NOT NULL;
  `,
]
