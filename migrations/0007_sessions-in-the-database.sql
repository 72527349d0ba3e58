ALTER TABLE `sessions` ADD `project_id` integer REFERENCES projects(id) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `refreshed_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `reused_at` integer;--> statement-breakpoint
CREATE INDEX `sessions_project` ON `sessions` (`project_id`);--> statement-breakpoint
CREATE INDEX `sessions_refreshed` ON `sessions` (`refreshed_at`);