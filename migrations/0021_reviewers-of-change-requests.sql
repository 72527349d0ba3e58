CREATE TABLE `change_request_reviewers` (
	`request_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`request_id`, `user_id`),
	FOREIGN KEY (`request_id`) REFERENCES `change_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `change_request_reviewers_user` ON `change_request_reviewers` (`user_id`);