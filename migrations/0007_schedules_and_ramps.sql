CREATE TABLE `ramps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`rule_id` text,
	`steps` text NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`before` text NOT NULL,
	`strategy_version` integer NOT NULL,
	`min_evaluations` integer,
	`evaluations_before` integer DEFAULT 0 NOT NULL,
	`stop_action` text,
	`stop_hash` text,
	`approvals` integer DEFAULT 0 NOT NULL,
	`change_request_id` integer,
	`step_at` integer NOT NULL,
	`next_at` integer,
	`remaining_ms` integer,
	`starter_kind` text NOT NULL,
	`starter_id` integer,
	`starter_name` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ramps_stop_hash_unique` ON `ramps` (`stop_hash`);--> statement-breakpoint
CREATE INDEX `ramps_project` ON `ramps` (`project_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `ramps_flag` ON `ramps` (`flag_id`,`id`);--> statement-breakpoint
CREATE INDEX `ramps_environment` ON `ramps` (`environment_id`);--> statement-breakpoint
CREATE INDEX `ramps_due` ON `ramps` (`next_at`,`project_id`) WHERE next_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `ramps_active` ON `ramps` (`flag_id`,`environment_id`) WHERE state IN ('waiting', 'running', 'paused');--> statement-breakpoint
ALTER TABLE `change_requests` ADD `apply_at` integer;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `latest_at` integer;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `time_zone` text;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `depends_on` integer;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `next_at` integer;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `scheduler_kind` text;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `scheduler_id` integer;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `blocked_by` text;--> statement-breakpoint
CREATE INDEX `change_requests_due` ON `change_requests` (`next_at`,`project_id`) WHERE next_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `audit` ADD `ramp_id` integer;--> statement-breakpoint
ALTER TABLE `audit` ADD `on_behalf_of` text;