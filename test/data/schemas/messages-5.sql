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
  , deleted_at INTEGER, language TEXT, hits TEXT NOT NULL DEFAULT '[]', incarnation INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX message_sequence ON message (epoch, seq);
CREATE INDEX message_player ON message (player_id, at);
CREATE INDEX message_time ON message (at);
CREATE TABLE lineage (id TEXT NOT NULL, is_sealed INTEGER NOT NULL) STRICT;
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
PRAGMA user_version = 5;
