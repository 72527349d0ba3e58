import { Paper, Group, Text } from "@mantine/core";
import { IconChartBar, IconCircleCheck, IconClock, IconCircleDashed } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../shared/api/types.ts";
import type { UsageRange } from "../../shared/charts/usage-ranges.ts";
import { resultParts } from "../../shared/charts/usage-parts.ts";
import { evaluations } from "../../shared/charts/usage.ts";
import { UsageChart } from "../../shared/charts/UsageChart.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { UnusedFlags } from "./UnusedFlags.tsx";
import classes from "./Insights.module.css";
import { SdkInstances } from "./SdkInstances.tsx";
import { MostEvaluated } from "./MostEvaluated.tsx";
import { type Scope, Section } from "./Section.tsx";
import { UnleashSdks } from "./UnleashSdks.tsx";
import { metricsQuery, livePropagationQuery } from "./queries.ts";

export function EnvironmentInsights({
  projectId,
  environment,
  range,
}: Scope & { range: UsageRange }) {
  const { t } = useTranslation();
  const metrics = useQuery(metricsQuery(environment.id, range));
  const scope = { projectId, environment };
  return (
    <div className={classes.sections}>
      <QueryView query={metrics}>
        {(data) =>
          evaluations(data.totals) === 0 ? (
            <NoUsage {...scope} />
          ) : (
            <>
              <Section title={t("insights.overTime")}>
                <Paper withBorder radius="md" p="md">
                  <UsageChart usage={data} parts={resultParts(t)} />
                  <Text size="sm" c="dimmed" mt="sm">
                    {t("insights.age", { count: Math.ceil(data.reportSeconds / 60) })}
                  </Text>
                </Paper>
              </Section>
              <Section title={t("insights.mostEvaluated")}>
                <MostEvaluated projectId={projectId} flags={data.mostEvaluated} />
              </Section>
            </>
          )
        }
      </QueryView>
      {/* Loads at the same time, and appears after the charts above, which would push it down. */}
      <div hidden={metrics.isPending}>
        <Section title={t("insights.instances")}>
          <PropagationSummary environmentId={environment.id} />
          <SdkInstances {...scope} key={environment.id} />
          <UnleashSdks {...scope} />
        </Section>
      </div>
      {metrics.data && <UnusedFlags {...scope} metrics={metrics.data} />}
    </div>
  );
}

function NoUsage({ projectId, environment }: Scope) {
  const { t } = useTranslation();
  const mayCreateKeys = useCan("api-key:write");
  return (
    <EmptyState
      Icon={IconChartBar}
      title={t("insights.projectUnused", { environment: environment.name })}
      action={
        mayCreateKeys && (
          <LinkButton to="/projects/$projectId/api-keys" params={{ projectId }}>
            {t("insights.createKey")}
          </LinkButton>
        )
      }
    >
      {t("insights.projectUnusedText")}
    </EmptyState>
  );
}

/** How many SDK instances have the newest rules, and when these rules changed. */
function PropagationSummary({ environmentId }: { environmentId: number }) {
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
    return t("insights.upToDateOf", { upToDate: number(upToDate), all: number(count) });
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
