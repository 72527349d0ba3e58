ALTER TABLE `flags` ADD `clients` text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `new_flag_clients` text DEFAULT 'all' NOT NULL;