import { Group, Text } from "@mantine/core";
import { IconCircleCheck, IconClock, IconCircleDashed } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { livePropagationQuery } from "./queries.ts";

/**
 * A summary that states how many SDK instances have the newest rules of the environment, and when
 * these rules changed.
 */
export function PropagationSummary({ environmentId }: { environmentId: number }) {
  const propagation = useQuery(livePropagationQuery(environmentId));
  return (
    <QueryView query={propagation} skeleton={<Text size="sm">…</Text>}>
      {(data) => <Summary propagation={data} />}
    </QueryView>
  );
}

function Summary({ propagation }: { propagation: Schemas["Propagation"] }) {
  const { t } = useTranslation();
  const { relative, number } = useFormat();
  const { instances, revision, changedAt, seenWithinSeconds, slowestMs, complete } = propagation;
  const { known: count, upToDate } = instances;
  const isQuiet = count === 0;
  const Icon = isQuiet ? IconCircleDashed : complete ? IconCircleCheck : IconClock;
  const text = () => {
    if (isQuiet) return t("insights.noneRunning", { minutes: Math.round(seenWithinSeconds / 60) });
    if (complete) return t("insights.upToDateAll", { count });
    return t("insights.upToDateSome", { count, upToDate: number(upToDate) });
  };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" mb="md">
      <Icon size={18} stroke={1.75} aria-hidden style={{ flex: "none", marginTop: 2 }} />
      <div>
        <Text size="sm" fw={600} role="status">
          {text()}
        </Text>
        <Text size="sm" c="dimmed">
          {t("insights.changedAt", { revision, when: relative(changedAt) })}{" "}
          {slowestMs !== null &&
            complete &&
            t("insights.slowest", { seconds: number(Math.ceil(slowestMs / 1000)) })}
        </Text>
      </div>
    </Group>
  );
}
