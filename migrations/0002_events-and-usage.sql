CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`integration_id` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`relayed_at` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_status" CHECK("webhook_deliveries"."status" IN ('pending', 'held', 'succeeded', 'dead'))
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_list` ON `webhook_deliveries` (`integration_id`,`id`,`status`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_new` ON `webhook_deliveries` (`id`) WHERE "webhook_deliveries"."status" = 'pending' AND "webhook_deliveries"."relayed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`due_at`) WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`id`) WHERE "webhook_deliveries"."status" = 'held';--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`event_id`,`integration_id`);--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`delivery_id` integer NOT NULL,
	`at` integer NOT NULL,
	`status` integer,
	`duration_ms` integer NOT NULL,
	`response` text,
	`error` text,
	FOREIGN KEY (`delivery_id`) REFERENCES `webhook_deliveries`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `delivery_attempts_delivery` ON `delivery_attempts` (`delivery_id`,`id`);--> statement-breakpoint
CREATE TABLE `integrations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`type` text NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`headers` text NOT NULL,
	`events` text NOT NULL,
	`last_success_at` integer,
	`failing_since` integer,
	`switched_off_at` integer,
	`deleted_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "integrations_type" CHECK("integrations"."type" IN ('custom_webhook'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `integrations_name` ON `integrations` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `webhook_usage` (
	`month` text PRIMARY KEY NOT NULL,
	`used` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `client_instances` (
	`environment_id` integer NOT NULL,
	`instance_id` text NOT NULL,
	`app_name` text NOT NULL,
	`sdk_version` text,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`revision` integer,
	`revision_seen_at` integer,
	PRIMARY KEY(`environment_id`, `instance_id`, `app_name`),
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `client_instances_seen` ON `client_instances` (`environment_id`,`last_seen_at`);--> statement-breakpoint
CREATE TABLE `counted_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `counted_reports_at` ON `counted_reports` (`at`);--> statement-breakpoint
CREATE TABLE `flag_usage` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`t` integer NOT NULL,
	`f` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `environment_id`, `hour`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_usage_environment` ON `flag_usage` (`environment_id`,`hour`);--> statement-breakpoint
CREATE INDEX `flag_usage_hour` ON `flag_usage` (`hour`);--> statement-breakpoint
CREATE TABLE `flag_usage_days` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`day` integer NOT NULL,
	`t` integer NOT NULL,
	`f` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `environment_id`, `day`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_usage_days_environment` ON `flag_usage_days` (`environment_id`,`day`);--> statement-breakpoint
CREATE INDEX `flag_usage_days_day` ON `flag_usage_days` (`day`);--> statement-breakpoint
CREATE TABLE `instance_usage` (
	`environment_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`app_name` text NOT NULL,
	`instance_id` text NOT NULL,
	`evaluations` text NOT NULL,
	PRIMARY KEY(`environment_id`, `instance_id`, `app_name`, `hour`),
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `instance_usage_app` ON `instance_usage` (`environment_id`,`app_name`,`hour`);--> statement-breakpoint
CREATE INDEX `instance_usage_hour` ON `instance_usage` (`hour`);--> statement-breakpoint
ALTER TABLE `projects` ADD `event_sequence` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `sequence` integer;--> statement-breakpoint
ALTER TABLE `outbox` ADD `actor_kind` text DEFAULT 'system' NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `actor_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `fanned_out` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_new` ON `outbox` (`id`) WHERE "outbox"."fanned_out" = 0;--> statement-breakpoint
CREATE INDEX `outbox_time` ON `outbox` (`created_at`);