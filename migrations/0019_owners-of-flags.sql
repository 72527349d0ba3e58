CREATE TABLE `flag_owners` (
	`flag_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`flag_id`, `user_id`),
	FOREIGN KEY (`flag_id`) REFERENCES `flags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flag_owners_user` ON `flag_owners` (`user_id`,`flag_id`);