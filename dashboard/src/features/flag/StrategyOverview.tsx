import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Strategy } from "../../shared/api/types.ts";
import { StateBadge } from "../../shared/strategy/StateBadge.tsx";
import type { SegmentsById } from "./segments-by-id.ts";
import classes from "./StrategyOverview.module.css";
import { useStrategySentence } from "./use-strategy-sentence.ts";

interface Props {
  projectId: number;
  strategies: readonly Strategy[];
  segments: SegmentsById;
  /**
   * The id of the environment whose strategy is open below the overview. Undefined while two
   * strategies are compared.
   */
  selected: number | undefined;
}

/**
 * A list with one card per environment: its name, whether the flag is on, and a sentence about the
 * strategy. Each card links to the strategy of its environment.
 */
export function StrategyOverview({ projectId, strategies, segments, selected }: Props) {
  const { t } = useTranslation();
  const describe = useStrategySentence(segments);
  return (
    <nav aria-label={t("shell.environments")}>
      <ul className={classes.list}>
        {strategies.map((strategy) => {
          const { flagId, environmentId, environmentName, enabled } = strategy;
          return (
            <li key={environmentId}>
              <Link
                to="/projects/$projectId/flags/$flagId"
                params={{ projectId, flagId }}
                search={{ environment: environmentId }}
                resetScroll={false}
                className={classes.card}
                // `activeOptions` and `aria-current` replace the `aria-current` of the router,
                // which is wrong for the default environment and during a comparison.
                activeOptions={{ exact: true }}
                aria-current={environmentId === selected ? "page" : undefined}
              >
                <span className={classes.head}>
                  <Text span fw={600} className={classes.name}>
                    {environmentName}
                  </Text>
                  <StateBadge isOn={enabled} />
                </span>
                <Text span size="sm" className={classes.sentence} lineClamp={4}>
                  {describe(strategy)}
                </Text>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
