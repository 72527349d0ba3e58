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
