import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useTargetingSummary } from "../../shared/flags/targeting-summary.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { StateBadge } from "../../shared/strategy/StateBadge.tsx";
import classes from "./EnvironmentNav.module.css";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

/** How much of the environment before the open one stays visible, in pixels. */
const MARGIN = 40;

interface Props {
  flag: Flag;
  /** Undefined while two environments are compared. */
  selected: number | undefined;
}

/** The environments with the state of the flag in each, as links that keep the open tab. */
export function EnvironmentNav({ flag, selected }: Props) {
  const { t } = useTranslation();
  const { tab } = route.useSearch();
  const { data: strategies = [] } = useQuery(strategiesQuery(flag.id));
  const summarise = useTargetingSummary();
  const list = useRef<HTMLUListElement>(null);
  const count = strategies.length;
  // Scrolls only the list, so that the open environment is visible and the page stays where it is.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]")?.parentElement;
    if (list.current && current) list.current.scrollLeft = current.offsetLeft - MARGIN;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the effect runs when another environment opens, and when the environments have loaded
  }, [selected, count]);
  return (
    <nav aria-label={t("shell.environments")} className={classes.nav}>
      <ul ref={list} className={classes.list}>
        {strategies.map((strategy) => {
          const { environmentId, environmentName, enabled } = strategy;
          return (
            <li key={environmentId}>
              <Link
                to="/projects/$projectId/flags/$flagId"
                params={{ projectId: flag.projectId, flagId: flag.id }}
                search={{ ...(tab && { tab }), environment: environmentId }}
                resetScroll={false}
                className={classes.environment}
                // `activeOptions` and `aria-current` replace the `aria-current` of the router,
                // which is wrong for the default environment and during a comparison.
                activeOptions={{ exact: true }}
                aria-current={environmentId === selected ? "page" : undefined}
              >
                <span className={classes.name}>
                  <EnvironmentChip id={environmentId} name={environmentName} />
                </span>
                <StateBadge isOn={enabled} />
                {enabled && (
                  <Text span size="xs" className={classes.reach}>
                    {summarise(strategy).reach}
                  </Text>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
