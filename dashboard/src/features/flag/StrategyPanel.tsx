import { Group, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Environment, Flag, Strategy } from "../../shared/api/types.ts";
import { useIsProduction } from "../../shared/data/environments.ts";
import { useFlagSwitch } from "../../shared/flags/use-flag-switch.ts";
import type { SegmentsById } from "./segments-by-id.ts";
import { CopyStrategy } from "./CopyStrategy.tsx";
import { KillSwitch } from "./KillSwitch.tsx";
import { OldSdkWarning } from "./OldSdkWarning.tsx";
import { Propagation } from "./Propagation.tsx";
import { contentOf, strategyToCompare } from "./strategy.ts";
import { StrategyForm } from "./StrategyForm.tsx";
import classes from "./StrategyPanel.module.css";
import { ReadOnlyStrategy } from "./ReadOnlyStrategy.tsx";
import { useDraft } from "./use-draft.ts";
import { useLeaveGuard } from "../../shared/use-leave-guard.ts";
import { useStrategySentence } from "./use-strategy-sentence.ts";

const route = getRouteApi("/projects/$projectId/flags/$flagId");

interface Props {
  flag: Flag;
  environment: Environment;
  strategy: Strategy;
  strategies: readonly Strategy[];
  segments: SegmentsById;
  canWrite: boolean;
  changedAt: number | undefined;
}

/**
 * The panel for the strategy of one environment: the switch of the flag, a sentence about the
 * strategy, the number of SDK instances that have the newest rules, and the strategy form.
 */
export function StrategyPanel(props: Props) {
  const { flag, environment, strategy, strategies, segments, canWrite, changedAt } = props;
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const describe = useStrategySentence(segments);
  const { isOn, switchTo } = useFlagSwitch({ flag, environment, strategy });
  const draft = useDraft(contentOf(strategy));
  // Changes in the form do not count as unsaved if the user cannot save them, for example after the
  // flag was archived.
  const isDirty = canWrite && draft.isDirty;
  useLeaveGuard(isDirty);
  const isProduction = useIsProduction(flag.projectId);
  const isKillSwitch = flag.flagType === "KILLSWITCH";
  const copyTo = strategyToCompare(strategies, strategy, { isProduction });

  return (
    <Paper withBorder radius="md" p="lg" component="section" aria-labelledby="environment">
      <Stack gap="lg">
        <Group justify="space-between" gap="sm">
          <Title order={3} size="h4" id="environment" className={classes.name}>
            {environment.name}
          </Title>
          {canWrite && (
            <Group gap="md">
              {copyTo && !isDirty && (
                <CopyStrategy
                  projectId={flag.projectId}
                  strategies={strategies}
                  segments={segments}
                  from={strategy}
                  to={copyTo}
                  onCopied={(id) =>
                    void navigate({ search: { environment: id }, resetScroll: false })
                  }
                />
              )}
              {!isKillSwitch && (
                <Switch
                  size="md"
                  label={t(isOn ? "common.on" : "common.off")}
                  aria-label={t("flags.switchLabel", {
                    flag: flag.name,
                    environment: environment.name,
                  })}
                  checked={isOn}
                  onChange={({ currentTarget }) => void switchTo(currentTarget.checked)}
                />
              )}
            </Group>
          )}
        </Group>
        {isKillSwitch && !flag.archived && (
          <KillSwitch
            environment={environment.name}
            isOn={isOn}
            onSwitch={canWrite ? (next) => void switchTo(next) : undefined}
          />
        )}
        <div className={classes.effect}>
          <IconUsers size={18} stroke={1.75} aria-hidden className={classes.icon} />
          <div className={classes.words}>
            <Text size="sm" fw={500} aria-live="polite">
              {describe({ ...(isDirty ? draft.values : strategy), enabled: isOn })}
            </Text>
            <Propagation
              projectId={flag.projectId}
              environment={environment}
              changedAt={changedAt}
            />
          </div>
        </div>
        <OldSdkWarning
          flag={flag}
          environment={environment}
          strategy={isDirty ? draft.values : strategy}
        />
        {canWrite ? (
          <StrategyForm flag={flag} strategy={strategy} draft={draft} segments={segments} />
        ) : (
          <ReadOnlyStrategy strategy={strategy} segments={segments} />
        )}
      </Stack>
    </Paper>
  );
}
