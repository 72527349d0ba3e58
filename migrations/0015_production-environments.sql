ALTER TABLE `environments` ADD `production` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- The dashboard asked for confirmation in environments whose name starts with one of these words.
-- It keeps asking there.
UPDATE `environments` SET `production` = true
WHERE lower(`name`) IN ('prod', 'production', 'live')
	OR lower(`name`) GLOB 'prod[^a-z0-9_]*'
	OR lower(`name`) GLOB 'production[^a-z0-9_]*'
	OR lower(`name`) GLOB 'live[^a-z0-9_]*';
