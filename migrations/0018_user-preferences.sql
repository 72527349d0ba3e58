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
CREATE INDEX `user_preferences_project` ON `user_preferences` (`project_id`);