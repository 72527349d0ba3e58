CREATE TABLE `login_failures` (
	`email_hash` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`locked_until` integer,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_failures_last` ON `login_failures` (`last_at`);