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
	`previous_secret` text,
	`previous_secret_until` integer,
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
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`project_id` integer NOT NULL,
	`entity_id` integer NOT NULL,
	`sequence` integer,
	`actor_kind` text DEFAULT 'system' NOT NULL,
	`actor_name` text DEFAULT '' NOT NULL,
	`data` text NOT NULL,
	`trace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`fanned_out` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_event_id_unique` ON `outbox` (`event_id`);--> statement-breakpoint
CREATE INDEX `outbox_new` ON `outbox` (`id`) WHERE "outbox"."fanned_out" = 0;--> statement-breakpoint
CREATE INDEX `outbox_time` ON `outbox` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_project_usage` (
	`project_id` integer NOT NULL,
	`month` text NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`project_id`, `month`)
);
--> statement-breakpoint
CREATE TABLE `flag_owners` (
	`flag_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `user_id`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_owners_user` ON `flag_owners` (`user_id`,`flag_id`);--> statement-breakpoint
CREATE TABLE `login_failures` (
	`email_hash` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`locked_until` integer,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_failures_last` ON `login_failures` (`last_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `user_mfa`(`user_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`project_id` integer,
	`user_agent` text,
	`ip` text,
	`created_at` integer NOT NULL,
	`refreshed_at` integer NOT NULL,
	`reused_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_project` ON `sessions` (`project_id`);--> statement-breakpoint
CREATE INDEX `sessions_refreshed` ON `sessions` (`refreshed_at`);--> statement-breakpoint
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
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`status` text NOT NULL,
	`password_hash` text,
	`avatar` text,
	`locale` text DEFAULT 'en' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`last_active_at` integer,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('ADMIN', 'DEVELOPER', 'VIEWER')),
	CONSTRAINT "users_status" CHECK("users"."status" IN ('INVITED', 'ACTIVE', 'DISABLED'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `user_preferences` (
	`user_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`flag_id` integer,
	`value` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `project_id`, `kind`, `name`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "user_preferences_kind" CHECK("user_preferences"."kind" IN ('favourite', 'recent', 'filter', 'columns'))
);
--> statement-breakpoint
CREATE INDEX `user_preferences_flag` ON `user_preferences` (`flag_id`);--> statement-breakpoint
CREATE INDEX `user_preferences_project` ON `user_preferences` (`project_id`);--> statement-breakpoint
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
CREATE TABLE `environments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`production` integer DEFAULT false NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`changed_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `environments_changed` ON `environments` (`changed_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `environments_name` ON `environments` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `flag_prerequisites` (
	`flag_id` integer NOT NULL,
	`required_flag_id` integer NOT NULL,
	`position` integer NOT NULL,
	`enabled` integer NOT NULL,
	`variants` text,
	PRIMARY KEY(`flag_id`, `required_flag_id`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`required_flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `flag_prerequisites_required` ON `flag_prerequisites` (`required_flag_id`);--> statement-breakpoint
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
	`value_type` text DEFAULT 'boolean' NOT NULL,
	`variants` text,
	`off_variant` text DEFAULT 'off',
	`value_schema` text,
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
CREATE INDEX `flags_variant_bytes` ON `flags` (`project_id`,octet_length(variants)) WHERE octet_length(variants) > 2;--> statement-breakpoint
CREATE UNIQUE INDEX `flags_key` ON `flags` (`project_id`,`key`);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`event_sequence` integer DEFAULT 0 NOT NULL,
	`stale_days` integer DEFAULT 40 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_name_unique` ON `projects` (`name`);--> statement-breakpoint
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
CREATE TABLE `strategies` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`enabled` integer NOT NULL,
	`percentage` integer NOT NULL,
	`constraints` text NOT NULL,
	`stickiness` text,
	`exact_percentage` real,
	`hash_key` text,
	`serve` text,
	`split_key` text,
	`split_stickiness` text,
	`rules` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `environment_id`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "strategies_percentage" CHECK("strategies"."percentage" BETWEEN 0 AND 100)
);
--> statement-breakpoint
CREATE INDEX `strategies_environment` ON `strategies` (`environment_id`);--> statement-breakpoint
CREATE INDEX `strategies_rule_bytes` ON `strategies` (`environment_id`,`flag_id`,octet_length(constraints)) WHERE octet_length(constraints) > 2;--> statement-breakpoint
CREATE INDEX `strategies_ordered_rule_bytes` ON `strategies` (`environment_id`,octet_length(rules)) WHERE octet_length(rules) > 2;--> statement-breakpoint
CREATE INDEX `strategies_split_bytes` ON `strategies` (`environment_id`,octet_length(serve) * (serve -> 'slots' IS NOT NULL)) WHERE octet_length(serve) * (serve -> 'slots' IS NOT NULL) > 0;--> statement-breakpoint
CREATE TABLE `strategy_rule_segments` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`segment_id` integer NOT NULL,
	`uses` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `environment_id`, `segment_id`),
	FOREIGN KEY (`segment_id`) REFERENCES `segments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flag_id`,`environment_id`) REFERENCES `strategies`(`flag_id`,`environment_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `strategy_rule_segments_segment` ON `strategy_rule_segments` (`segment_id`);--> statement-breakpoint
CREATE INDEX `strategy_rule_segments_environment` ON `strategy_rule_segments` (`environment_id`,`segment_id`,`flag_id`,`uses`);--> statement-breakpoint
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
CREATE INDEX `strategy_segments_environment` ON `strategy_segments` (`environment_id`,`segment_id`,`flag_id`);--> statement-breakpoint
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
	`reverts_id` integer,
	`ip` text,
	`trace_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_time` ON `audit` (`at`,`id`,`project_id`,`entity_id`,`actor_id`,`action`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE INDEX `audit_project` ON `audit` (`project_id`,`at`,`id`,`entity_id`,`actor_id`,`action`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE INDEX `audit_entity` ON `audit` (`entity_id`,`at`,`id`,`project_id`,`actor_id`,`action`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`,`at`,`id`,`project_id`,`entity_id`,`action`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit` (`action`,`at`,`id`,`project_id`,`entity_id`,`actor_id`,`entity_type`,`environment_id`,`actor_kind`,`category`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_refusals` ON `audit` (`at`,`ip`) WHERE action = 'session.refused-unknown';--> statement-breakpoint
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
CREATE TABLE `app_usage` (
	`environment_id` integer NOT NULL,
	`app_name` text NOT NULL,
	`hour` integer NOT NULL,
	`evaluations` text NOT NULL,
	PRIMARY KEY(`environment_id`, `app_name`, `hour`),
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `app_usage_hour` ON `app_usage` (`hour`);--> statement-breakpoint
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
CREATE TABLE `flag_variant_usage_days` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`day` integer NOT NULL,
	`variant` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `environment_id`, `day`, `variant`),
	FOREIGN KEY (`flag_id`,`environment_id`,`day`) REFERENCES `flag_usage_days`(`flag_id`,`environment_id`,`day`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `usage_hours` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`t` integer NOT NULL,
	`f` integer NOT NULL,
	`variants` text,
	PRIMARY KEY(`flag_id`, `environment_id`, `hour`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_writes` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
