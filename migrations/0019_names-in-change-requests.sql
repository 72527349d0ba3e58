ALTER TABLE `change_request_comments` ADD `author_id` integer;--> statement-breakpoint
ALTER TABLE `change_requests` ADD `closed_by_id` integer;