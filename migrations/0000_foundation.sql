CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`environment_id` integer NOT NULL,
	`name` text NOT NULL,
	`key_type` text NOT NULL,
	`hash` text NOT NULL,
	`preview` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_type" CHECK("api_keys"."key_type" IN ('SERVER', 'FRONTEND'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_environment` ON `api_keys` (`environment_id`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`category` text NOT NULL,
	`action` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` integer,
	`actor_name` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` integer,
	`project_id` integer,
	`environment_id` integer,
	`before` text,
	`after` text,
	`reason` text,
	`ip` text,
	`trace_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_time` ON `audit` (`at`);--> statement-breakpoint
CREATE TABLE `commit_guards` (
	`failed` integer NOT NULL,
	CONSTRAINT "guard_0" CHECK("commit_guards"."failed" <> 0),
	CONSTRAINT "guard_1" CHECK("commit_guards"."failed" <> 1),
	CONSTRAINT "guard_2" CHECK("commit_guards"."failed" <> 2),
	CONSTRAINT "guard_3" CHECK("commit_guards"."failed" <> 3),
	CONSTRAINT "guard_4" CHECK("commit_guards"."failed" <> 4),
	CONSTRAINT "guard_5" CHECK("commit_guards"."failed" <> 5)
);
--> statement-breakpoint
CREATE TABLE `context_definitions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`context_key` text NOT NULL,
	`context_type` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `context_definitions_key` ON `context_definitions` (`project_id`,`context_key`);--> statement-breakpoint
CREATE TABLE `environments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`changed_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `environments_name` ON `environments` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `flag_tags` (
	`flag_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`flag_id`, `tag_id`, `value`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_tags_tag` ON `flag_tags` (`tag_id`);--> statement-breakpoint
CREATE TABLE `flags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`flag_type` text NOT NULL,
	`archived` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "flags_type" CHECK("flags"."flag_type" IN ('RELEASE', 'KILLSWITCH'))
);
--> statement-breakpoint
CREATE INDEX `flags_list` ON `flags` (`project_id`,`archived`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `flags_key` ON `flags` (`project_id`,`key`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`project_id` integer NOT NULL,
	`entity_id` integer NOT NULL,
	`data` text NOT NULL,
	`trace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`relayed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_event_id_unique` ON `outbox` (`event_id`);--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`id`) WHERE "outbox"."relayed_at" IS NULL;--> statement-breakpoint
CREATE TABLE `projects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_name_unique` ON `projects` (`name`);--> statement-breakpoint
CREATE TABLE `rule_changes` (
	`environment_id` integer NOT NULL,
	`flag_key` text NOT NULL,
	`flag_name` text NOT NULL,
	`revision` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `flag_key`),
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rule_changes_time` ON `rule_changes` (`environment_id`,`changed_at`);--> statement-breakpoint
CREATE TABLE `segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`constraints` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `segments_name` ON `segments` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `strategies` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`enabled` integer NOT NULL,
	`percentage` integer NOT NULL,
	`constraints` text NOT NULL,
	`stickiness` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `environment_id`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "strategies_percentage" CHECK("strategies"."percentage" BETWEEN 0 AND 100)
);
--> statement-breakpoint
CREATE INDEX `strategies_environment` ON `strategies` (`environment_id`);--> statement-breakpoint
CREATE TABLE `strategy_segments` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`segment_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `environment_id`, `segment_id`),
	FOREIGN KEY (`segment_id`) REFERENCES `segments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flag_id`,`environment_id`) REFERENCES `strategies`(`flag_id`,`environment_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `strategy_segments_segment` ON `strategy_segments` (`segment_id`);--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`color` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name` ON `tags` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`status` text NOT NULL,
	`password_hash` text,
	`avatar` text,
	`locale` text DEFAULT 'en' NOT NULL,
	`created_at` integer NOT NULL,
	`last_active_at` integer,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('ADMIN', 'DEVELOPER', 'VIEWER')),
	CONSTRAINT "users_status" CHECK("users"."status" IN ('INVITED', 'ACTIVE', 'DISABLED'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);