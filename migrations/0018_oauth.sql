CREATE TABLE `oauth_clients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` text NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_clients_client_id_unique` ON `oauth_clients` (`client_id`);--> statement-breakpoint
CREATE TABLE `oauth_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`challenge` text NOT NULL,
	`scopes` text NOT NULL,
	`project_ids` text,
	`environment_ids` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`family_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `oauth_codes_user` ON `oauth_codes` (`user_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `oauth_codes_expires` ON `oauth_codes` (`expires_at`);--> statement-breakpoint
ALTER TABLE `access_tokens` ADD `client_id` text;--> statement-breakpoint
ALTER TABLE `access_tokens` ADD `family_id` text;--> statement-breakpoint
ALTER TABLE `access_tokens` ADD `refresh_until` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_family_id_unique` ON `access_tokens` (`family_id`);