ALTER TABLE `integrations` ADD `chat` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `reason` text;