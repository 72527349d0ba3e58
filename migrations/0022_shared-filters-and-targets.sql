CREATE TABLE `shared_filters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shared_filters_name` ON `shared_filters` (`project_id`,`name`);--> statement-breakpoint
CREATE INDEX `change_request_operations_target` ON `change_request_operations` (`target_id`,`kind`,`request_id`);