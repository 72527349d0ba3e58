-- Run this once, right after restoring the database to an earlier time (docs/run/operations.md).

-- Each number below grows by a million and by the seconds since 2026, so that it is also above the
-- numbers after an earlier restore of the same state.

-- Caches and SDKs may still hold ids that the restore undid. Skip ids, so that none is used twice.
UPDATE sqlite_sequence SET seq = seq + 1000000 + unixepoch() - unixepoch('2026-01-01');
UPDATE projects SET event_sequence = event_sequence + 1000000 + unixepoch() - unixepoch('2026-01-01');

-- The edge and SDKs keep the highest revision they know. Raise all revisions above it.
UPDATE environments SET
  revision = revision + 1000000 + unixepoch() - unixepoch('2026-01-01'),
  changed_at = max(changed_at + 1, unixepoch() * 1000);
INSERT INTO rule_changes (environment_id, flag_key, flag_name, revision, changed_at)
  SELECT e.id, f.key, f.name, e.revision, e.changed_at
  FROM environments e JOIN flags f ON f.project_id = e.project_id WHERE true
  ON CONFLICT (environment_id, flag_key) DO UPDATE SET flag_name = excluded.flag_name,
    revision = excluded.revision, changed_at = excluded.changed_at;

-- Remove again the API keys that were revoked after the restored time, once their record is back.
DELETE FROM api_keys WHERE hash IN (SELECT hash FROM revoked_keys);

-- End all sessions and all links to reset a password. The restored rows include those that had ended.
DELETE FROM sessions;
DELETE FROM user_tokens WHERE purpose = 'RESET';
DELETE FROM sign_on_codes WHERE user_id IS NOT NULL;

-- Revoke all tokens and agents, and end all approvals that have no token yet. The restored rows do not
-- say which of them were revoked later.
UPDATE access_tokens SET revoked_at = unixepoch() * 1000 WHERE revoked_at IS NULL;
DELETE FROM device_logins;
DELETE FROM oauth_codes;
