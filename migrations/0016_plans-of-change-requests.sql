CREATE TABLE `change_request_fields` (
	`request_id` integer NOT NULL,
	`kind` text NOT NULL,
	`entity_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`file_key` text NOT NULL,
	`owned` text NOT NULL,
	`released` text NOT NULL,
	`taken` text NOT NULL,
	PRIMARY KEY(`request_id`, `kind`, `entity_id`, `environment_id`),
	FOREIGN KEY (`request_id`) REFERENCES `change_requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `change_requests` ADD `plan_id` text;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `file_apply` text;