import { Group, Stack } from "@mantine/core";
import { IconArrowsDiff, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Flag, Strategy, Environment } from "../../shared/api/types.ts";
import { environmentsQuery, useIsProduction } from "../../shared/data/environments.ts";
import { segmentsQuery } from "../../shared/data/project-lists.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";
import { NoEnvironments } from "../../shared/environments/NoEnvironments.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import type { OnDraft } from "../../shared/flags/use-drafts.ts";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { strategyToCompare } from "./strategy.ts";
import { StrategyComparison } from "./StrategyComparison.tsx";
import { StrategyPanel } from "./StrategyPanel.tsx";
import { useOpenEnvironment } from "./use-open-environment.ts";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

interface Props {
  flag: Flag;
  onDraft: OnDraft;
}

export function Strategies({ flag, onDraft }: Props) {
  const { t } = useTranslation();
  const { projectId } = flag;
  const strategies = useQuery(strategiesQuery(flag.id));
  const { data: segments = [] } = useQuery(segmentsQuery(projectId));
  const environments = useQuery(environmentsQuery(projectId));
  const changedAt = useRulesChangedAt(environments.data ?? NONE);
  return (
    <section aria-label={t("flag.strategies")}>
      <QueryView query={strategies}>
        {(data) => (
          <QueryView query={environments}>
            {() =>
              data.length === 0 ? (
                <NoEnvironments title={t("flag.noEnvironment")}>
                  {t("flag.noEnvironmentText")}
                </NoEnvironments>
              ) : (
                <SelectedStrategy
                  flag={flag}
                  onDraft={onDraft}
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
  strategies: readonly Strategy[];
  segments: SegmentsById;
  changedAt: ReadonlyMap<number, number>;
  onDraft: OnDraft;
}

/** The strategy of the open environment, or its comparison with another environment's. */
function SelectedStrategy(props: SelectedStrategyProps) {
  const { flag, strategies, segments, changedAt, onDraft } = props;
  const { t } = useTranslation();
  const { view, against } = route.useSearch();
  const canWrite = useCan("strategy:write") && !flag.archived;
  const isProduction = useIsProduction(flag.projectId);
  const open = useOpenEnvironment(flag);
  if (!open) return null;
  const { environment, strategy } = open;
  const other = strategyToCompare(strategies, strategy, { chosen: against, isProduction });
  const isComparing = view === "compare" && other !== undefined;
  const toggle = other && (
    <LinkButton
      variant="default"
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
  );
  return (
    <Stack gap="md">
      {isComparing && <Group justify="flex-end">{toggle}</Group>}
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
          environment={environment}
          strategy={strategy}
          segments={segments}
          canWrite={canWrite}
          changedAt={changedAt.get(strategy.environmentId)}
          onDraft={onDraft}
          compare={toggle}
        />
      )}
    </Stack>
  );
}

/**
 * A hook that returns the time at which this page last noticed new rules, in epoch milliseconds by
 * environment id. The hook also notices changes by other users, once the page has refetched the
 * environments.
 */
function useRulesChangedAt(environments: readonly Environment[]): ReadonlyMap<number, number> {
  const [changedAt, setChangedAt] = useState<ReadonlyMap<number, number>>(new Map());
  const known = useRef(new Map<number, number>());
  useEffect(() => {
    for (const { id, revision } of environments) {
      const before = known.current.get(id);
      known.current.set(id, revision);
      if (before !== undefined && revision > before)
        setChangedAt((previous) => new Map(previous).set(id, Date.now()));
    }
  }, [environments]);
  return changedAt;
}
