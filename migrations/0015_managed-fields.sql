CREATE TABLE `file_managers` (
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`applies` integer NOT NULL,
	`plan_id` text NOT NULL,
	`repository` text,
	`commit_id` text,
	`applied_by` text NOT NULL,
	`applied_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `name`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `managed_fields` (
	`project_id` integer NOT NULL,
	`kind` text NOT NULL,
	`entity_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`manager` text NOT NULL,
	`file_key` text NOT NULL,
	`fields` text NOT NULL,
	PRIMARY KEY(`project_id`, `kind`, `entity_id`, `environment_id`, `manager`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
