import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Environment, Flag, Strategy } from "../../shared/api/types.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";
import { EnvironmentDot } from "../../shared/environments/EnvironmentChip.tsx";
import { ProtectionMark, useProtectionText } from "../../shared/environments/ProtectionMark.tsx";
import { EnvironmentSelect } from "../../shared/environments/EnvironmentSelect.tsx";
import { useTargetingSummary } from "../../shared/flags/targeting-summary.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./EnvironmentNav.module.css";
import { environmentOf } from "./strategy.ts";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

/** How much of the environment before the open one stays visible, in pixels. */
const MARGIN = 40;

/** From this number of environments on, there is a select instead of tabs, which would not fit. */
const SELECT_FROM = 8;

interface Props {
  flag: Flag;
  /** Undefined while two environments are compared. */
  selected: number | undefined;
}

/** The environments with the state of the flag in each. Another environment keeps the open tab. */
export function EnvironmentNav({ flag, selected }: Props) {
  const { t } = useTranslation();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: strategies = [] } = useQuery(strategiesQuery(flag.id));
  const { data: environments = [] } = useQuery(environmentsQuery(flag.projectId));
  const stateOf = useStateText();
  const protectionOf = useProtectionText();
  const searchOf = (environment: number) => ({ ...(tab && { tab }), environment });
  const isSelect = strategies.length >= SELECT_FROM;
  return (
    <nav aria-label={t("shell.environments")} className={classes.nav}>
      {isSelect ? (
        <div className={classes.menu}>
          <EnvironmentSelect
            aria-label={t("insights.environment")}
            environments={strategies.map(environmentOf)}
            noteOf={(id) => {
              const strategy = strategies.find(({ environmentId }) => environmentId === id);
              const environment = environments.find((one) => one.id === id);
              const protection = environment && protectionOf(environment);
              return strategy && [stateOf(strategy), protection].filter(Boolean).join(" · ");
            }}
            value={selected}
            onChange={(id) => void navigate({ search: searchOf(id), resetScroll: false })}
          />
        </div>
      ) : (
        <EnvironmentTabs
          flag={flag}
          strategies={strategies}
          environments={environments}
          selected={selected}
          stateOf={stateOf}
          searchOf={searchOf}
        />
      )}
    </nav>
  );
}

interface TabsProps extends Props {
  strategies: readonly Strategy[];
  environments: readonly Environment[];
  stateOf: (strategy: Strategy) => string;
  searchOf: (environment: number) => { environment: number };
}

function EnvironmentTabs(props: TabsProps) {
  const { flag, strategies, environments, selected, stateOf, searchOf } = props;
  const list = useRef<HTMLUListElement>(null);
  const count = strategies.length;
  // Scrolls only the list, so that the open environment is visible and the page stays where it is.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]")?.parentElement;
    if (list.current && current) list.current.scrollLeft = current.offsetLeft - MARGIN;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the effect runs when another environment opens, and when the environments have loaded
  }, [selected, count]);
  return (
    <ul ref={list} className={classes.list}>
      {strategies.map((strategy) => {
        const { environmentId: id, environmentName: name } = strategy;
        const environment = environments.find((one) => one.id === id);
        return (
          <li key={id}>
            <Link
              to="/projects/$projectId/flags/$flagId"
              params={{ projectId: flag.projectId, flagId: flag.id }}
              search={searchOf(id)}
              resetScroll={false}
              className={classes.environment}
              // `activeOptions` and `aria-current` replace the `aria-current` of the router,
              // which is wrong for the default environment and during a comparison.
              activeOptions={{ exact: true }}
              aria-current={id === selected ? "page" : undefined}
            >
              <EnvironmentDot id={id} />
              <span className={classes.name} title={name}>
                {name}
              </span>{" "}
              {environment && <ProtectionMark environment={environment} />}{" "}
              <span className={classes.state}>{stateOf(strategy)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns a function that says whether a strategy is on, and whom it reaches: `On · 25%`. */
function useStateText(): (strategy: Strategy) => string {
  const { t } = useTranslation();
  const summarise = useTargetingSummary();
  return (strategy) =>
    strategy.enabled ? `${t("common.on")} · ${summarise(strategy).reach}` : t("common.off");
}
