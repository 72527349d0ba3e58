import { Button, Paper, Text } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../shared/api/types.ts";
import { useStaleDays } from "../../shared/data/projects.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { type Scope, Section } from "./Section.tsx";
import classes from "./Insights.module.css";

type Metrics = Schemas["EnvironmentMetrics"];

/** Two lists: the flags that were never evaluated in the environment, and the stale flags. */
export function UnusedFlags({ projectId, environment, metrics }: Scope & { metrics: Metrics }) {
  const { t } = useTranslation();
  const { relative } = useFormat();
  const staleDays = useStaleDays(projectId);
  const { neverEvaluated, neverEvaluatedTotal, staleFlags, staleTotal } = metrics;
  return (
    <div className={classes.columns}>
      <Section title={t("insights.neverEvaluated", { environment: environment.name })}>
        <FlagList
          projectId={projectId}
          total={neverEvaluatedTotal}
          flags={neverEvaluated.map((flag) => ({
            flag,
            note: t("insights.created", { when: relative(flag.createdAt) }),
          }))}
          about={t("insights.neverEvaluatedText")}
          empty={t("insights.neverEvaluatedEmpty")}
        />
      </Section>
      <Section title={t("insights.stale")}>
        <FlagList
          projectId={projectId}
          total={staleTotal}
          flags={staleFlags.map((flag) => ({
            flag,
            note:
              flag.lastUsedAt === null
                ? t("insights.neverUsed")
                : t("insights.lastUsed", { when: relative(flag.lastUsedAt) }),
          }))}
          about={t("insights.staleText", { count: staleDays })}
          empty={t("insights.staleEmpty")}
        />
        {staleTotal > 0 && (
          <LinkAnchor
            size="sm"
            mt="sm"
            display="inline-block"
            to="/projects/$projectId/flags"
            params={{ projectId }}
            search={{ stale: true }}
          >
            {t("insights.showStale")}
          </LinkAnchor>
        )}
      </Section>
    </div>
  );
}

/** The number of flags that a list shows until the user clicks the button that shows more. */
const INITIALLY_SHOWN = 8;

interface FlagListProps {
  projectId: number;
  flags: readonly { flag: { flagId: number; name: string }; note: string }[];
  /** The total number. `flags` has at most 100 of them, because the API returns no more. */
  total: number;
  about: string;
  empty: string;
}

function FlagList({ projectId, flags, total, about, empty }: FlagListProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (total === 0)
    return (
      <Paper withBorder radius="md" p="md">
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      </Paper>
    );
  const shown = isOpen ? flags : flags.slice(0, INITIALLY_SHOWN);
  return (
    <Paper withBorder radius="md" p="md">
      <Text size="sm" c="dimmed" mb="xs">
        {about}
      </Text>
      <ul className={classes.flags}>
        {shown.map(({ flag: { flagId, name }, note }) => (
          <li key={flagId} className={classes.flag}>
            <LinkAnchor
              size="sm"
              to="/projects/$projectId/flags/$flagId"
              params={{ projectId, flagId }}
            >
              {name}
            </LinkAnchor>
            <Text size="sm" c="dimmed" component="span">
              {note}
            </Text>
          </li>
        ))}
      </ul>
      {isOpen && total > flags.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {t("insights.more", { count: total - flags.length })}
        </Text>
      )}
      {flags.length > INITIALLY_SHOWN && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen
            ? t("insights.showLess")
            : t("insights.showMore", { count: Math.min(total, flags.length) })}
        </Button>
      )}
    </Paper>
  );
}
