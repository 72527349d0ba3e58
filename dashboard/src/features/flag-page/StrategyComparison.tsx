import { Paper, Text } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { Strategy } from "../../shared/api/types.ts";
import { EnvironmentSelect } from "../../shared/environments/EnvironmentSelect.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { IconButton } from "../../shared/ui/IconButton.tsx";
import { differingFields, fieldsOf } from "../../shared/strategy/fields.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { CopyStrategy } from "./CopyStrategy.tsx";
import { environmentOf } from "./strategy.ts";
import classes from "./StrategyComparison.module.css";
import { StrategyTable } from "./StrategyTable.tsx";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

interface Props {
  projectId: number;
  strategies: readonly Strategy[];
  segments: SegmentsById;
  left: Strategy;
  right: Strategy;
  canWrite: boolean;
}

/** Two environments side by side, with a button that copies the left strategy. */
export function StrategyComparison(props: Props) {
  const { projectId, strategies, segments, left, right, canWrite } = props;
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const different = differingFields(left, right);
  const show = (leftId: number, rightId: number) =>
    void navigate({
      search: { view: "compare", environment: leftId, against: rightId },
      replace: true,
      resetScroll: false,
    });
  const swap = () => show(right.environmentId, left.environmentId);
  const environments = strategies.map(environmentOf);

  return (
    <Paper withBorder radius="md" p="lg">
      <div className={classes.choice}>
        <EnvironmentSelect
          label={t("flag.compareLeft")}
          environments={environments}
          value={left.environmentId}
          onChange={(id) =>
            // If the user selects the environment that is already on the other side, swap the two
            // sides.
            id === right.environmentId ? swap() : show(id, right.environmentId)
          }
        />
        <IconButton label={t("flag.compareSwap")} variant="default" onClick={swap}>
          <IconArrowsExchange size={18} stroke={1.75} aria-hidden />
        </IconButton>
        <EnvironmentSelect
          label={t("flag.compareRight")}
          environments={environments}
          value={right.environmentId}
          onChange={(id) => (id === left.environmentId ? swap() : show(left.environmentId, id))}
        />
        {canWrite && (
          <div className={classes.copy}>
            <CopyStrategy
              projectId={projectId}
              strategies={strategies}
              segments={segments}
              from={left}
              to={right}
              onCopied={() => {}}
            />
          </div>
        )}
      </div>
      <div className={classes.result}>
        <Text size="sm" role="status">
          {different.length === 0
            ? t("flag.compareSame")
            : t("flag.compareDifferent", { count: different.length })}
        </Text>
        <LinkAnchor
          size="sm"
          to="/projects/$projectId/environments/compare"
          params={{ projectId }}
          search={{ from: left.environmentId, to: right.environmentId }}
        >
          {t("comparison.otherFlags")}
        </LinkAnchor>
      </div>
      <StrategyTable
        caption={t("flag.compareCaption", {
          left: left.environmentName,
          right: right.environmentName,
        })}
        left={{ title: left.environmentName, strategy: left }}
        right={{ title: right.environmentName, strategy: right }}
        segments={segments}
        fields={fieldsOf([left, right])}
        isMarked
      />
    </Paper>
  );
}
