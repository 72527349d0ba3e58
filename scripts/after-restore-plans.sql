-- Run this after after-restore.sql, if the restored database has the table ramps.

-- What was planned may have been done, changed or called off since. Let people look at it first.
UPDATE change_requests SET next_at = NULL,
  blocked_by = 'The database was restored; schedule the change request again'
  WHERE next_at IS NOT NULL;
UPDATE ramps SET state = 'paused', reason = 'The database was restored',
  remaining_ms = iif(state = 'paused', remaining_ms, max(0, next_at - step_at)), next_at = NULL,
  updated_at = unixepoch() * 1000
  WHERE state IN ('waiting', 'running', 'paused');
