ALTER TABLE `api_keys` ADD `can_write` integer DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE `api_keys` SET `can_write` = false WHERE `key_type` = 'FRONTEND';
