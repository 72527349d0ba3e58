import { Button, Text } from "@mantine/core";
import { IconPlayerPlay, IconPower } from "@tabler/icons-react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./KillSwitch.module.css";

interface Props {
  environment: string;
  isOn: boolean;
  /**
   * Switches the flag on or off in the environment. Undefined if the user may not switch the flag.
   */
  onSwitch?: ((isOn: boolean) => void) | undefined;
}

/**
 * A panel with the state of a kill switch in large text and one large button, because users need
 * both in emergencies.
 */
export function KillSwitch({ environment, isOn, onSwitch }: Props) {
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
