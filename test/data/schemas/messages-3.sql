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
  , deleted_at INTEGER, language TEXT, hits TEXT NOT NULL DEFAULT '[]') STRICT;
CREATE INDEX message_sequence ON message (epoch, seq);
CREATE INDEX message_player ON message (player_id, at);
CREATE INDEX message_time ON message (at);
PRAGMA user_version = 3;
