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
CREATE INDEX `strategy_rule_segments_environment` ON `strategy_rule_segments` (`environment_id`,`segment_id`,`uses`);--> statement-breakpoint
ALTER TABLE `flags` ADD `value_type` text DEFAULT 'boolean' NOT NULL;--> statement-breakpoint
ALTER TABLE `flags` ADD `variants` text;--> statement-breakpoint
ALTER TABLE `flags` ADD `off_variant` text DEFAULT 'off';--> statement-breakpoint
ALTER TABLE `flags` ADD `value_schema` text;--> statement-breakpoint
CREATE INDEX `flags_variant_bytes` ON `flags` (`project_id`,octet_length(variants)) WHERE variants IS NOT NULL;--> statement-breakpoint
ALTER TABLE `strategies` ADD `exact_percentage` real;--> statement-breakpoint
ALTER TABLE `strategies` ADD `hash_key` text;--> statement-breakpoint
ALTER TABLE `strategies` ADD `serve` text;--> statement-breakpoint
ALTER TABLE `strategies` ADD `split_key` text;--> statement-breakpoint
ALTER TABLE `strategies` ADD `split_stickiness` text;--> statement-breakpoint
ALTER TABLE `strategies` ADD `rules` text;--> statement-breakpoint
CREATE INDEX `strategies_ordered_rule_bytes` ON `strategies` (`environment_id`,`flag_id`,octet_length(rules)) WHERE rules IS NOT NULL;