/** Migrations of the facts. Each runs once, in order, in its own transaction. Never change a released one: add another. */
export const FACT_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE control (version INTEGER NOT NULL) STRICT;
  INSERT INTO control VALUES (0);

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

  -- Every ban ever applied. ended_at is set when a ban is lifted or replaced before it expires.
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

  CREATE TABLE filter_list (
    language_key TEXT PRIMARY KEY,
    language TEXT NOT NULL,
    expressions TEXT NOT NULL,
    expression_count INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

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
  ) STRICT;

  -- Outcomes of writes with an idempotency key, returned again to clients that repeat one.
  CREATE TABLE remembered (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,
    outcome TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX remembered_expiry ON remembered (expires_at);
  `,
  `
  ALTER TABLE report ADD COLUMN message_id TEXT NOT NULL DEFAULT '';
  ALTER TABLE report ADD COLUMN context TEXT NOT NULL DEFAULT '[]';
  CREATE INDEX report_reporter ON report (reporter_id, created_at);
  `,
  `
  ALTER TABLE filter_list RENAME TO former_filter_list;
  CREATE TABLE filter_list (
    kind TEXT NOT NULL,
    language_key TEXT NOT NULL,
    language TEXT NOT NULL,
    expressions TEXT NOT NULL,
    expression_count INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (kind, language_key)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO filter_list
    SELECT 'forbidden', language_key, language, expressions, expression_count, version FROM former_filter_list;
  DROP TABLE former_filter_list;
  `,
  `
  ALTER TABLE channel ADD COLUMN incarnation INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE control ADD COLUMN channels_created INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Messages around a reported message, stored once per message at its first report.
  CREATE TABLE report_context (message_id TEXT PRIMARY KEY, messages TEXT NOT NULL) STRICT;
  INSERT INTO report_context
    SELECT message_id, (SELECT json_group_array(json_remove(value, '$.hits') ORDER BY key) FROM json_each(context))
    FROM report WHERE message_id <> '' AND id IN (SELECT min(id) FROM report GROUP BY message_id);
  ALTER TABLE report DROP COLUMN context;
  -- Not unique: earlier versions accepted several reports of a message by the same player.
  CREATE INDEX report_message ON report (message_id, reporter_id);
  `,
  `
  -- One expression per line; none contains a line break.
  UPDATE filter_list SET expressions =
    (SELECT ifnull(group_concat(value, char(10) ORDER BY key), '') FROM json_each(expressions));
  `,
  `
  -- Totals, since counting the channels at each insert would cost more the more there are.
  ALTER TABLE control ADD COLUMN channels INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE control ADD COLUMN channel_groups INTEGER NOT NULL DEFAULT 0;
  UPDATE control SET channels = (SELECT count(*) FROM channel),
    channel_groups = (SELECT count(DISTINCT channel_group) FROM channel);
  `,
  `
  -- Committed changes, for nodes that missed some. The oldest are deleted.
  CREATE TABLE change (version INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL) STRICT;

  -- Contains everything that a start reads of the active bans.
  DROP INDEX ban_in_force;
  CREATE INDEX ban_active ON ban (ends_at, seq, player_id, count, starts_at, ended_at) WHERE ended_at IS NULL;
  `,
]
