DROP INDEX `flags_variant_bytes`;--> statement-breakpoint
CREATE INDEX `flags_variant_bytes` ON `flags` (`project_id`,octet_length(variants)) WHERE octet_length(variants) > 2;--> statement-breakpoint
DROP INDEX `strategies_ordered_rule_bytes`;--> statement-breakpoint
CREATE INDEX `strategies_split_bytes` ON `strategies` (`environment_id`,octet_length(serve) * (serve -> 'slots' IS NOT NULL)) WHERE octet_length(serve) * (serve -> 'slots' IS NOT NULL) > 0;--> statement-breakpoint
CREATE INDEX `strategies_ordered_rule_bytes` ON `strategies` (`environment_id`,octet_length(rules)) WHERE octet_length(rules) > 2;--> statement-breakpoint
DROP INDEX `strategy_rule_segments_environment`;--> statement-breakpoint
CREATE INDEX `strategy_rule_segments_environment` ON `strategy_rule_segments` (`environment_id`,`segment_id`,`flag_id`,`uses`);