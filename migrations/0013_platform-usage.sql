CREATE TABLE `platform_reading` (
	`id` integer PRIMARY KEY NOT NULL,
	`read_at` integer NOT NULL,
	`objects` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "platform_reading_once" CHECK("platform_reading"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `platform_usage_days` (
	`day` integer NOT NULL,
	`counter` text NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`day`, `counter`)
);
