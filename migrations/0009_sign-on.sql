CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` integer NOT NULL,
	`email` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user` ON `identities` (`user_id`,`issuer`);--> statement-breakpoint
CREATE TABLE `identity_providers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`enabled` integer NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`secret` text,
	`domains` text NOT NULL,
	`provisioning` text NOT NULL,
	`second_factor` text NOT NULL,
	`default_role` text,
	`group_claim` text,
	`roles` text NOT NULL,
	`link_by_email` integer NOT NULL,
	`session_hours` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "identity_providers_type" CHECK("identity_providers"."type" IN ('oidc', 'github', 'access')),
	CONSTRAINT "identity_providers_hours" CHECK("identity_providers"."session_hours" BETWEEN 1 AND 720)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identity_providers_slug_unique` ON `identity_providers` (`slug`);--> statement-breakpoint
CREATE TABLE `sign_on_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer,
	`method` text,
	`issuer` text NOT NULL,
	`idp_session` text,
	`mfa` integer DEFAULT false NOT NULL,
	`ends_at` integer,
	`return_to` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_on_codes_user` ON `sign_on_codes` (`user_id`);--> statement-breakpoint
CREATE INDEX `sign_on_codes_expires` ON `sign_on_codes` (`expires_at`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `method` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `issuer` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `idp_session` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `mfa` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `ends_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `confirmed_at` integer;--> statement-breakpoint
CREATE INDEX `sessions_issuer` ON `sessions` (`issuer`,`idp_session`);--> statement-breakpoint
CREATE INDEX `sessions_ends` ON `sessions` (`ends_at`);--> statement-breakpoint
ALTER TABLE `settings` ADD `password_sign_in` text DEFAULT 'everyone' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `break_glass` integer DEFAULT false NOT NULL;