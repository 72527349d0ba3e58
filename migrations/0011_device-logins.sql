CREATE TABLE `device_logins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_hash` text NOT NULL,
	`user_code_hash` text NOT NULL,
	`client_name` text NOT NULL,
	`ip` text,
	`user_agent` text,
	`network` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`polled_at` integer,
	`decision` text,
	`decided_by` integer,
	`scopes` text,
	`project_ids` text,
	`environment_ids` text,
	FOREIGN KEY (`decided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "device_logins_decision" CHECK("device_logins"."decision" IN ('approved', 'denied'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_logins_device_hash_unique` ON `device_logins` (`device_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `device_logins_user_code_hash_unique` ON `device_logins` (`user_code_hash`);--> statement-breakpoint
CREATE INDEX `device_logins_user` ON `device_logins` (`decided_by`);--> statement-breakpoint
CREATE INDEX `device_logins_network` ON `device_logins` (`network`,`expires_at`);--> statement-breakpoint
CREATE INDEX `device_logins_expires` ON `device_logins` (`expires_at`);