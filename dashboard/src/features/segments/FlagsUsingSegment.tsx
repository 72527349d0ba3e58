import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Flag, Segment } from "../../shared/api/types.ts";
import { FlagLifecycleBadge, FlagTypeBadge } from "../../shared/flags/FlagBadges.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { flagsUsingSegmentQuery } from "./queries.ts";
import classes from "./SegmentPage.module.css";

export const MAX_SHOWN = 10;

/** The first 10 flags that a change of the segment affects, and a link to all of them. */
export function FlagsUsingSegment({ segment: { id, projectId } }: { segment: Segment }) {
  const { t } = useTranslation();
  const flags = useQuery(flagsUsingSegmentQuery(projectId, id, MAX_SHOWN));
  return (
    <Paper component="section" withBorder radius="md" p="md" aria-labelledby="segment-users">
      <Stack gap="sm">
        <Title order={2} size="h4" id="segment-users">
          {t("segments.usedBy")}
        </Title>
        <QueryView query={flags}>
          {({ items, totalItems }) => (
            <>
              {totalItems === 0 ? (
                <Text size="sm" c="dimmed">
                  {t("segments.unused")}
                </Text>
              ) : (
                <FlagLinks flags={items} />
              )}
              {totalItems > items.length && (
                <Text size="sm" c="dimmed">
                  {t("segments.useMore", { count: totalItems - items.length })}
                </Text>
              )}
              {totalItems > 0 && (
                <LinkAnchor
                  size="sm"
                  to="/projects/$projectId/flags"
                  params={{ projectId }}
                  search={{ segment: id }}
                >
                  {t("segments.allUses")}
                </LinkAnchor>
              )}
            </>
          )}
        </QueryView>
      </Stack>
    </Paper>
  );
}

export function FlagLinks({ flags }: { flags: readonly Flag[] }) {
  return (
    <ul className={classes.flags}>
      {flags.map((flag) => (
        <li key={flag.id}>
          <LinkAnchor
            size="sm"
            to="/projects/$projectId/flags/$flagId"
            params={{ projectId: flag.projectId, flagId: flag.id }}
          >
            {flag.name}
          </LinkAnchor>
          <Group gap={6}>
            <Text size="xs" c="dimmed" ff="monospace">
              {flag.key}
            </Text>
            {flag.flagType === "KILLSWITCH" && <FlagTypeBadge type={flag.flagType} />}
            {flag.archived && <FlagLifecycleBadge flag={flag} />}
          </Group>
        </li>
      ))}
    </ul>
  );
}
