import { Text } from "@mantine/core";
import { IconAlertTriangleFilled } from "@tabler/icons-react";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { useTargetingSummary } from "../../shared/flags/targeting-summary.ts";
import { useFlagSwitch } from "../../shared/flags/use-flag-switch.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import classes from "./EnvironmentState.module.css";

interface Props {
  flag: EnrichedFlag;
  environment: EnrichedFlag["environments"][number];
}

/**
 * Whether a warning is shown while the flag is off. True for a kill switch that is not archived, if
 * its strategy has been saved before. A strategy that was never saved is off by default.
 */
const isAlarming = ({ flag, environment }: Props): boolean =>
  flag.flagType === "KILLSWITCH" && !flag.archived && environment.strategy.version > 0;

/** Whether a flag is on in an environment, and for whom, with a switch if the user may switch. */
export function EnvironmentState(props: Props) {
  const canSwitch = useCan("strategy:write") && !props.flag.archived;
  if (canSwitch) return <EnvironmentSwitch {...props} />;
  const isOn = props.environment.strategy.enabled && !props.flag.archived;
  return (
    <div className={classes.cell}>
      <State {...props} isOn={isOn} isWritten />
    </div>
  );
}

/** Renders a plain input instead of Mantine's switch, because a list has up to 400 switches. */
function EnvironmentSwitch({ flag, environment }: Props) {
  const { t } = useTranslation();
  const { isOn, switchTo } = useFlagSwitch({ flag, environment, strategy: environment.strategy });
  const words = { flag: flag.name, environment: environment.name };
  return (
    <div className={classes.cell}>
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- `checked` is the state
        role="switch"
        className={classes.switch}
        aria-label={t("flags.switchLabel", words)}
        data-alarming={isAlarming({ flag, environment }) || undefined}
        checked={isOn}
        onChange={({ currentTarget }) => void switchTo(currentTarget.checked)}
      />
      <State flag={flag} environment={environment} isOn={isOn} />
    </div>
  );
}

/** `isWritten` adds the word "on" for users who see no switch. */
function State({
  flag,
  environment,
  isOn,
  isWritten = false,
}: Props & { isOn: boolean; isWritten?: boolean }) {
  const { t } = useTranslation();
  const { reach, narrowed } = useTargetingSummary()(environment.strategy);
  if (isOn)
    return (
      <>
        <Text size="sm" className={classes.reach}>
          {isWritten ? t("flags.onAt", { reach }) : reach}
        </Text>
        {narrowed !== undefined && (
          <Text size="xs" c="dimmed" className={classes.narrowed}>
            {narrowed}
          </Text>
        )}
      </>
    );
  if (isAlarming({ flag, environment }))
    return (
      <span className={classes.killed}>
        <IconAlertTriangleFilled size={14} aria-hidden />
        {t("common.off")}
      </span>
    );
  return (
    <Text size="sm" c="dimmed">
      {t("common.off")}
    </Text>
  );
}
