CREATE TABLE `flag_variant_usage` (
	`flag_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`variant` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `environment_id`, `hour`, `variant`),
	FOREIGN KEY (`flag_id`,`environment_id`,`hour`) REFERENCES `flag_usage`(`flag_id`,`environment_id`,`hour`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
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
ALTER TABLE `client_instances` ADD `sdk_features` text;--> statement-breakpoint
ALTER TABLE `client_instances` ADD `rules_fetched_at` integer;