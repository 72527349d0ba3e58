CREATE TABLE `project_members` (
	`project_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`role` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`project_id`, `user_id`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "project_members_role" CHECK("project_members"."role" IN ('ADMIN', 'DEVELOPER', 'VIEWER'))
);
--> statement-breakpoint
CREATE INDEX `project_members_user` ON `project_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `deleted_private_projects` (
	`id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE `projects` ADD `visibility` text DEFAULT 'everyone' NOT NULL;--> statement-breakpoint
CREATE INDEX `projects_private` ON `projects` (`id`) WHERE visibility = 'members';