import { Button, Text, Switch } from "@mantine/core";
import { IconPlayerPlay, IconPower } from "@tabler/icons-react";
import type { Flag } from "../../shared/api/types.ts";
import { useFlagSwitch } from "../../shared/flags/use-flag-switch.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import classes from "./FlagControl.module.css";
import { ManagedMark } from "./Managed.tsx";
import { useManagedFields } from "./use-managed-fields.ts";
import type { OpenEnvironment } from "./use-open-environment.ts";

/** A user who may not switch flags sees only the state of a kill switch. */
export function FlagControl({ flag, open }: { flag: Flag; open: OpenEnvironment }) {
  const { environment, strategy } = open;
  const { isOn, switchTo } = useFlagSwitch({ flag, environment, strategy });
  const canWrite = useCan("strategy:write") && !flag.archived;
  const managed = useManagedFields(flag.id, environment.id).get("enabled");
  const mark = <ManagedMark managed={managed} />;
  const onSwitch = (next: boolean) => void switchTo(next);
  if (flag.flagType === "KILLSWITCH")
    return flag.archived ? null : (
      <>
        <KillSwitch
          environment={environment.name}
          isOn={isOn}
          onSwitch={canWrite ? onSwitch : undefined}
        />
        {mark}
      </>
    );
  if (!canWrite) return null;
  return (
    <>
      {mark}
      <FlagSwitch flag={flag.name} environment={environment.name} isOn={isOn} onSwitch={onSwitch} />
    </>
  );
}

/** Whether the switch is in the line of the heading: a kill switch, and a phone, need more space. */
export function useIsSwitchInHeader(flag: Flag): boolean {
  const isNarrow = useIsNarrow();
  return !isNarrow && flag.flagType !== "KILLSWITCH";
}

interface Props {
  environment: string;
  isOn: boolean;
  /** Undefined if the user may not switch the flag. */
  onSwitch?: ((isOn: boolean) => void) | undefined;
}

/** The state in large text and one large button, because users need both in emergencies. */
function KillSwitch({ environment, isOn, onSwitch }: Props) {
  const { t } = useTranslation();
  const state = isOn ? "running" : "killed";
  return (
    <div className={classes.area} data-state={state}>
      <IconPower size={28} stroke={1.75} aria-hidden className={classes.icon} />
      <div className={classes.words} role="status">
        <Text fw={700} lineClamp={2}>
          {t(`flag.kill.${state}`, { environment })}
        </Text>
        <Text size="xs" className={classes.explanation}>
          {t(`flag.kill.${state}Text`)}
        </Text>
      </div>
      {onSwitch && (
        <Button
          size="md"
          color={isOn ? "red.9" : "blue"}
          variant={isOn ? "filled" : "default"}
          leftSection={
            isOn ? <IconPower size={20} aria-hidden /> : <IconPlayerPlay size={20} aria-hidden />
          }
          onClick={() => onSwitch(!isOn)}
          className={classes.button}
        >
          {t(isOn ? "flag.kill.kill" : "flag.kill.revive", { environment })}
        </Button>
      )}
    </div>
  );
}

interface FlagSwitchProps {
  flag: string;
  environment: string;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** The large switch of a flag in one environment, after the name of the environment and the state. */
function FlagSwitch({ flag, environment, isOn, onSwitch }: FlagSwitchProps) {
  const { t } = useTranslation();
  return (
    <Switch
      size="md"
      aria-label={t("flags.switchLabel", { flag, environment })}
      label={
        <span aria-hidden className={classes.label}>
          <span className={classes.environment}>{environment}</span>
          <span>·</span>
          <span className={classes.state}>{t(isOn ? "common.on" : "common.off")}</span>
        </span>
      }
      labelPosition="left"
      classNames={{
        root: classes.root ?? "",
        body: classes.target ?? "",
        track: classes.track ?? "",
      }}
      checked={isOn}
      onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
    />
  );
}
