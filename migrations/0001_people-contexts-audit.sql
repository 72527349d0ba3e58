CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `user_mfa`(`user_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`require_mfa` integer DEFAULT false NOT NULL,
	`require_mfa_since` integer,
	`session_timeout_hours` integer DEFAULT 720 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "settings_one_row" CHECK("settings"."id" = 1),
	CONSTRAINT "settings_timeout" CHECK("settings"."session_timeout_hours" BETWEEN 1 AND 720)
);
--> statement-breakpoint
CREATE TABLE `user_mfa` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	`failed_attempts` integer DEFAULT 0 NOT NULL,
	`locked_until` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `user_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`purpose` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "user_tokens_purpose" CHECK("user_tokens"."purpose" IN ('INVITE', 'RESET'))
);
--> statement-breakpoint
CREATE INDEX `user_tokens_user` ON `user_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `context_values` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`definition_id` integer NOT NULL,
	`value` text NOT NULL,
	`description` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`definition_id`) REFERENCES `context_definitions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `context_values_value` ON `context_values` (`definition_id`,`value`);--> statement-breakpoint
CREATE TABLE `revoked_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`key_id` integer NOT NULL,
	`name` text NOT NULL,
	`project_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`revoked_at` integer NOT NULL,
	`reported_at` integer
);
--> statement-breakpoint
DROP INDEX `audit_time`;--> statement-breakpoint
CREATE INDEX `audit_project` ON `audit` (`project_id`,`at`,`id`,`entity_id`,`actor_id`,`action`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE INDEX `audit_entity` ON `audit` (`entity_id`,`at`,`id`,`project_id`,`actor_id`,`action`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`,`at`,`id`,`project_id`,`entity_id`,`action`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit` (`action`,`at`,`id`,`project_id`,`entity_id`,`actor_id`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE INDEX `audit_time` ON `audit` (`at`,`id`,`project_id`,`entity_id`,`actor_id`,`action`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `user_agent` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `ip` text;--> statement-breakpoint
ALTER TABLE `users` ADD `version` integer DEFAULT 1 NOT NULL;