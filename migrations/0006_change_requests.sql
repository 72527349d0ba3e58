CREATE TABLE `change_request_authors` (
	`request_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`request_id`, `user_id`),
	FOREIGN KEY (`request_id`) REFERENCES `change_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `change_request_authors_user` ON `change_request_authors` (`user_id`);--> statement-breakpoint
CREATE TABLE `change_request_comments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`request_id` integer NOT NULL,
	`author_name` text NOT NULL,
	`text` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`request_id`) REFERENCES `change_requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `change_request_comments_request` ON `change_request_comments` (`request_id`);--> statement-breakpoint
CREATE TABLE `change_request_operations` (
	`request_id` integer NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`target_id` integer NOT NULL,
	`environment_id` integer,
	`change` text,
	`base` text NOT NULL,
	`after` text NOT NULL,
	PRIMARY KEY(`request_id`, `position`),
	FOREIGN KEY (`request_id`) REFERENCES `change_requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `change_request_operations_environment` ON `change_request_operations` (`environment_id`);--> statement-breakpoint
CREATE TABLE `change_request_reviews` (
	`request_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	`verdict` text NOT NULL,
	`comment` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`request_id`, `user_id`),
	FOREIGN KEY (`request_id`) REFERENCES `change_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `change_request_reviews_user` ON `change_request_reviews` (`user_id`);--> statement-breakpoint
CREATE TABLE `change_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` integer NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`state` text DEFAULT 'open' NOT NULL,
	`hash` text NOT NULL,
	`rule_change` text,
	`author_kind` text NOT NULL,
	`author_id` integer,
	`author_name` text NOT NULL,
	`closed_at` integer,
	`closed_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `change_requests_project` ON `change_requests` (`project_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `change_requests_idle` ON `change_requests` (`state`,`updated_at`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` integer;--> statement-breakpoint
ALTER TABLE `audit` ADD `change_request_id` integer;