DROP INDEX `outbox_waiting`;--> statement-breakpoint
ALTER TABLE `outbox` DROP COLUMN `relayed_at`;