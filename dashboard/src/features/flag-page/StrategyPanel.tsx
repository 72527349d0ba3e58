import { Group, Paper, Stack, Text, VisuallyHidden } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Environment, Flag, Strategy } from "../../shared/api/types.ts";
import { useFlagSwitch } from "../../shared/flags/use-flag-switch.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { type OnDraft, useReportDraft } from "../../shared/flags/use-drafts.ts";
import { OldSdkWarning } from "./OldSdkWarning.tsx";
import { Plans } from "./plans/Plans.tsx";
import { StartRamp } from "./plans/StartRamp.tsx";
import { Propagation } from "./Propagation.tsx";
import { contentOf } from "./strategy.ts";
import { StrategyForm } from "./StrategyForm.tsx";
import classes from "./StrategyPanel.module.css";
import { ReadOnlyStrategy } from "./ReadOnlyStrategy.tsx";
import { UnleashWarning } from "./UnleashWarning.tsx";
import { useDraft } from "./use-draft.ts";
import { useLeaveGuard } from "../../shared/use-leave-guard.ts";
import { useStrategySentence } from "../../shared/strategy/use-rule-words.ts";

interface Props {
  flag: Flag;
  environment: Environment;
  strategy: Strategy;
  segments: SegmentsById;
  canWrite: boolean;
  changedAt: number | undefined;
  onDraft: OnDraft;
  /** The link to the comparison with another environment. */
  compare: ReactNode;
}

/** The strategy of one environment: a sentence about it, its propagation, and its form. */
export function StrategyPanel(props: Props) {
  const { flag, environment, strategy, segments, canWrite, changedAt, onDraft, compare } = props;
  const describe = useStrategySentence(segments);
  const { isOn } = useFlagSwitch({ flag, environment, strategy });
  const draft = useDraft(contentOf(strategy));
  // Changes in the form do not count as unsaved if the user cannot save them, for example after the
  // flag was archived.
  const isDirty = canWrite && draft.isDirty;
  useLeaveGuard(isDirty);
  useReportDraft(onDraft, "strategy", { isDirty, isOutdated: draft.isOutdated });

  return (
    <Paper withBorder radius="md" p="lg" component="section" aria-label={environment.name}>
      <Stack gap="lg">
        <VisuallyHidden component="h2">{environment.name}</VisuallyHidden>
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
          <Group gap="xs" className={classes.actions}>
            {compare}
            {canWrite && !isDirty && (
              <StartRamp flag={flag} environment={environment} strategy={strategy} />
            )}
          </Group>
        </div>
        <Plans flag={flag} environment={environment} segments={segments} canWrite={canWrite} />
        <OldSdkWarning
          flag={flag}
          environment={environment}
          strategy={isDirty ? draft.values : strategy}
        />
        {isDirty && (
          <UnleashWarning
            flag={flag}
            environment={environment}
            strategy={{ ...draft.values, enabled: true }}
            segments={segments}
          />
        )}
        {canWrite ? (
          <StrategyForm
            flag={flag}
            environment={environment}
            strategy={strategy}
            draft={draft}
            segments={segments}
          />
        ) : (
          <ReadOnlyStrategy strategy={strategy} segments={segments} />
        )}
      </Stack>
    </Paper>
  );
}
