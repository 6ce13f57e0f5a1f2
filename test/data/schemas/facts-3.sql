CREATE TABLE control (version INTEGER NOT NULL) STRICT;
CREATE TABLE channel (
    channel_group TEXT NOT NULL,
    channel_name TEXT NOT NULL,
    max_members INTEGER NOT NULL,
    is_fallback INTEGER NOT NULL,
    is_autoscaling INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (channel_group, channel_name)
  ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channel_fallback ON channel (channel_group) WHERE is_fallback = 1;
CREATE TABLE ban (
    seq INTEGER PRIMARY KEY,
    player_id TEXT NOT NULL,
    count INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    ended_at INTEGER,
    UNIQUE (player_id, count)
  ) STRICT;
CREATE INDEX ban_in_force ON ban (ends_at) WHERE ended_at IS NULL;
CREATE TABLE report (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reported_id TEXT NOT NULL,
    reported_name TEXT NOT NULL,
    reporter_id TEXT NOT NULL,
    reporter_name TEXT NOT NULL,
    message TEXT NOT NULL,
    keyword TEXT NOT NULL,
    reason TEXT NOT NULL,
    status INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  , message_id TEXT NOT NULL DEFAULT '', context TEXT NOT NULL DEFAULT '[]') STRICT;
CREATE TABLE remembered (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,
    outcome TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
CREATE INDEX remembered_expiry ON remembered (expires_at);
CREATE INDEX report_reporter ON report (reporter_id, created_at);
CREATE TABLE filter_list (
    kind TEXT NOT NULL,
    language_key TEXT NOT NULL,
    language TEXT NOT NULL,
    expressions TEXT NOT NULL,
    expression_count INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (kind, language_key)
  ) STRICT, WITHOUT ROWID;
PRAGMA user_version = 3;
