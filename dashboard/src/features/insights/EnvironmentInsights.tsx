import { Paper, Group, Text, List } from "@mantine/core";
import { IconChartBar, IconCircleCheck, IconClock, IconCircleDashed } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Environment, Schemas } from "../../shared/api/types.ts";
import { comparedIds, rangeOf, type UsageSearch } from "../../shared/charts/usage-ranges.ts";
import { environmentParts } from "../../shared/charts/usage-parts.ts";
import { evaluations, sumOf } from "../../shared/charts/usage.ts";
import { UsagePanel } from "../../shared/charts/UsagePanel.tsx";
import { usesUnleashQuery } from "../../shared/data/unleash.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { UnusedFlags } from "./UnusedFlags.tsx";
import classes from "./Insights.module.css";
import { SdkInstances } from "./SdkInstances.tsx";
import { MostEvaluated } from "./MostEvaluated.tsx";
import { type Scope, Section } from "./Section.tsx";
import { metricsQuery, livePropagationQuery, unleashSdksQuery } from "./queries.ts";

interface Props extends Scope {
  environments: readonly Environment[];
  search: UsageSearch;
}

export function EnvironmentInsights({ projectId, environment, environments, search }: Props) {
  const { t } = useTranslation();
  const ids = comparedIds(environment.id, environments, search);
  const metrics = useQuery(metricsQuery(ids, rangeOf(search)));
  const scope = { projectId, environment };
  return (
    <div className={classes.sections}>
      <QueryView query={metrics}>
        {(data) =>
          evaluations(sumOf(data.map(({ totals }) => totals))) === 0 ? (
            <NoUsage {...scope} />
          ) : (
            <>
              <Section title={t("insights.overTime")}>
                <Paper withBorder radius="md" p="md">
                  <UsagePanel
                    projectId={projectId}
                    environments={environments}
                    usages={data}
                    parts={environmentParts(t, sumOf(data.map(({ totals }) => totals)))}
                    note={
                      <Text size="sm" c="dimmed">
                        {t("insights.age", { count: Math.ceil(data[0].reportSeconds / 60) })}
                      </Text>
                    }
                  />
                </Paper>
              </Section>
              {data[0].mostEvaluated.length > 0 && (
                <Section title={t("insights.mostEvaluated")}>
                  <MostEvaluated projectId={projectId} flags={data[0].mostEvaluated} />
                </Section>
              )}
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
      {metrics.data && <UnusedFlags {...scope} metrics={metrics.data[0]} />}
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

/** How many instances of each SDK of Unleash were seen in the last 24 hours. Empty if there are none. */
function UnleashSdks({ projectId, environment }: Scope) {
  const use = useQuery(usesUnleashQuery(projectId, environment.id));
  if (use.isError) return <ErrorAlert error={use.error} onRetry={() => void use.refetch()} />;
  return use.data === true ? <Sdks environmentId={environment.id} /> : null;
}

function Sdks({ environmentId }: { environmentId: number }) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" mt="md">
        {t("insights.unleashSdks")}
      </Text>
      <QueryView query={useQuery(unleashSdksQuery(environmentId))}>
        {(sdks) => (
          <List size="sm">
            {sdks.map(({ sdkVersion, instances }) => (
              <List.Item key={sdkVersion}>
                {t("insights.unleashSdk", {
                  sdk: sdkVersion ?? t("insights.unknownRevision"),
                  count: instances,
                })}
              </List.Item>
            ))}
          </List>
        )}
      </QueryView>
    </>
  );
}
