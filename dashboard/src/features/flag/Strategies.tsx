import { Group, Stack, Title } from "@mantine/core";
import { IconArrowsDiff, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Environment, Flag, Strategy } from "../../shared/api/types.ts";
import { environmentsQuery, useIsProduction } from "../../shared/data/environments.ts";
import { segmentsQuery } from "../../shared/data/segments.ts";
import { strategiesQuery } from "../../shared/data/strategies.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import type { SegmentsById } from "./segments-by-id.ts";
import { strategyToCompare } from "./strategy.ts";
import { StrategyComparison } from "./StrategyComparison.tsx";
import { StrategyOverview } from "./StrategyOverview.tsx";
import { StrategyPanel } from "./StrategyPanel.tsx";
import { useRulesChangedAt } from "./use-rules-changed-at.ts";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

/** The section of the flag page for the flag's strategies in all environments. */
export function Strategies({ flag }: { flag: Flag }) {
  const { projectId } = flag;
  const strategies = useQuery(strategiesQuery(flag.id));
  const { data: segments = [] } = useQuery(segmentsQuery(projectId));
  const environments = useQuery(environmentsQuery(projectId));
  const changedAt = useRulesChangedAt(environments.data ?? NONE);
  return (
    <section aria-labelledby="strategies">
      <QueryView query={strategies}>
        {(data) => (
          <QueryView query={environments}>
            {(known) =>
              data.length === 0 ? (
                <NoEnvironment projectId={projectId} />
              ) : (
                <SelectedStrategy
                  flag={flag}
                  environments={known}
                  strategies={data}
                  segments={new Map(segments.map((segment) => [segment.id, segment]))}
                  changedAt={changedAt}
                />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </section>
  );
}

const NONE: never[] = [];

interface SelectedStrategyProps {
  flag: Flag;
  environments: readonly Environment[];
  strategies: readonly Strategy[];
  segments: SegmentsById;
  changedAt: ReadonlyMap<number, number>;
}

/**
 * An overview of the strategies of all environments and, below the overview, the strategy of one
 * environment or a comparison of two strategies.
 */
function SelectedStrategy(props: SelectedStrategyProps) {
  const { flag, environments, strategies, segments, changedAt } = props;
  const { t } = useTranslation();
  const { environment, view, against } = route.useSearch();
  const canWrite = useCan("strategy:write") && !flag.archived;
  const isProduction = useIsProduction(flag.projectId);
  const open =
    environments.find(({ id }) => id === environment) ?? initialEnvironment(flag, environments);
  const strategy = strategies.find(({ environmentId }) => environmentId === open?.id);
  if (!open || !strategy) return null;
  const other = strategyToCompare(strategies, strategy, { chosen: against, isProduction });
  const isComparing = view === "compare" && other !== undefined;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h4" id="strategies">
          {t("flag.strategies")}
        </Title>
        {other && (
          <LinkButton
            variant="default"
            size="xs"
            leftSection={
              isComparing ? (
                <IconPencil size={16} stroke={1.75} aria-hidden />
              ) : (
                <IconArrowsDiff size={16} stroke={1.75} aria-hidden />
              )
            }
            to="/projects/$projectId/flags/$flagId"
            params={{ projectId: flag.projectId, flagId: flag.id }}
            search={{
              environment: strategy.environmentId,
              ...(!isComparing && { view: "compare" as const }),
            }}
            resetScroll={false}
          >
            {t(isComparing ? "flag.compareEnd" : "flag.compare")}
          </LinkButton>
        )}
      </Group>
      <StrategyOverview
        projectId={flag.projectId}
        strategies={strategies}
        segments={segments}
        selected={isComparing ? undefined : strategy.environmentId}
      />
      {isComparing ? (
        <StrategyComparison
          projectId={flag.projectId}
          strategies={strategies}
          segments={segments}
          left={strategy}
          right={other}
          canWrite={canWrite}
        />
      ) : (
        <StrategyPanel
          key={strategy.environmentId}
          flag={flag}
          environment={open}
          strategy={strategy}
          strategies={strategies}
          segments={segments}
          canWrite={canWrite}
          changedAt={changedAt.get(strategy.environmentId)}
        />
      )}
    </Stack>
  );
}

/**
 * Returns the environment that is open if the URL does not name an existing one. For a kill switch,
 * this is production, if there is one. Otherwise, it is the first environment.
 */
const initialEnvironment = (
  { flagType }: Flag,
  environments: readonly Environment[],
): Environment | undefined =>
  (flagType === "KILLSWITCH" ? environments.find(({ production }) => production) : undefined) ??
  environments[0];

function NoEnvironment({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("flag.noEnvironment")}
      action={
        <LinkButton to="/projects/$projectId/environments" params={{ projectId }}>
          {t("flag.goToEnvironments")}
        </LinkButton>
      }
    >
      {t("flag.noEnvironmentText")}
    </EmptyState>
  );
}
