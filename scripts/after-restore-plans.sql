-- Run this after after-restore.sql, if the restored database has the table ramps.

-- What was planned or proposed may have been done, changed or called off since. Let people look at it first.
INSERT INTO change_request_comments (request_id, author_name, text, at)
  SELECT id, 'restore', 'The database was restored to a time when this change request was open. ' ||
    'Whether it was applied or closed later is not known. If it is still right, open it again as a new one.',
    unixepoch() * 1000
  FROM change_requests WHERE state = 'open';
DELETE FROM change_request_fields
  WHERE request_id IN (SELECT id FROM change_requests WHERE state = 'open');
UPDATE change_requests SET state = 'closed', closed_by = 'restore', closed_at = unixepoch() * 1000,
  next_at = NULL, updated_at = unixepoch() * 1000
  WHERE state = 'open';
UPDATE ramps SET state = 'paused', reason = 'The database was restored',
  remaining_ms = iif(state = 'paused', remaining_ms, max(0, next_at - step_at)), next_at = NULL,
  updated_at = unixepoch() * 1000
  WHERE state IN ('waiting', 'running', 'paused');
