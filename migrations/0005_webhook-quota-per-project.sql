CREATE TABLE `webhook_project_usage` (
	`project_id` integer NOT NULL,
	`month` text NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`project_id`, `month`)
);
--> statement-breakpoint
ALTER TABLE `integrations` ADD `previous_secret` text;--> statement-breakpoint
ALTER TABLE `integrations` ADD `previous_secret_until` integer;--> statement-breakpoint
-- The deliveries that the database still has count against the new quota of their project. A held
-- delivery does not count until it is released.
INSERT INTO `webhook_project_usage` (`project_id`, `month`, `used`)
SELECT i.`project_id`, strftime('%Y-%m', d.`created_at` / 1000, 'unixepoch') AS `month`, count(*)
FROM `webhook_deliveries` d JOIN `integrations` i ON i.`id` = d.`integration_id`
JOIN `outbox` o ON o.`id` = d.`event_id`
WHERE d.`status` <> 'held' AND o.`type` <> 'integration.test' GROUP BY i.`project_id`, `month`;
