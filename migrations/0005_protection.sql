CREATE TABLE `environment_members` (
	`environment_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`can_write` integer NOT NULL,
	`can_approve` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `user_id`),
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `environment_members_user` ON `environment_members` (`user_id`);--> statement-breakpoint
ALTER TABLE `environments` ADD `required_approvals` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `environments` ADD `approver_role` text DEFAULT 'DEVELOPER' NOT NULL;--> statement-breakpoint
ALTER TABLE `environments` ADD `member_access` text DEFAULT 'roles' NOT NULL;--> statement-breakpoint
ALTER TABLE `environments` ADD `require_reason` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `environments` ADD `allow_turn_off` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `environments` ADD `allow_bypass` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `audit` ADD `override` text;