-- For once, right after the database was restored to an earlier time (docs/operations.md).

-- What the undone time had made is still remembered elsewhere: no number comes a second time.
UPDATE sqlite_sequence SET seq = seq + 1000000;
UPDATE projects SET event_sequence = event_sequence + 1000000;

-- The edge, and SDKs that ask for changes, believe whatever is newer: all rules are new now.
UPDATE environments SET revision = revision + 1000000,
  changed_at = max(changed_at + 1, unixepoch() * 1000);
INSERT INTO rule_changes (environment_id, flag_key, flag_name, revision, changed_at)
  SELECT e.id, f.key, f.name, e.revision, e.changed_at
  FROM environments e JOIN flags f ON f.project_id = e.project_id WHERE true
  ON CONFLICT (environment_id, flag_key) DO UPDATE SET flag_name = excluded.flag_name,
    revision = excluded.revision, changed_at = excluded.changed_at;

-- Those that were revoked in the undone time, once their record is back.
DELETE FROM api_keys WHERE hash IN (SELECT hash FROM revoked_keys);
