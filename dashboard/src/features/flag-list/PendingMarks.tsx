import { Badge } from "@mantine/core";
import { IconCalendarTime, IconGitPullRequest, IconStairsUp } from "@tabler/icons-react";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import badges from "../../shared/flags/FlagBadges.module.css";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

const MARKS = [
  ["changeRequests", IconGitPullRequest],
  ["scheduled", IconCalendarTime],
  ["ramps", IconStairsUp],
] as const;

/** What waits for a flag: open change requests, scheduled changes and ramps. */
export function PendingMarks({ pending }: { pending: NonNullable<EnrichedFlag["pending"]> }) {
  const { t } = useTranslation();
  return MARKS.filter(([kind]) => pending[kind] > 0).map(([kind, Icon]) => {
    const text = t(`flags.pending.${kind}`, { count: pending[kind] });
    return (
      <Badge
        key={kind}
        className={badges.waiting}
        leftSection={<Icon size={13} stroke={2} aria-hidden />}
        role="img"
        aria-label={text}
        title={text}
      >
        {pending[kind]}
      </Badge>
    );
  });
}
