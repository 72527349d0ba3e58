import type { Flag } from "../../shared/api/types.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { FlagSwitch } from "../../shared/flags/FlagSwitch.tsx";
import { useFlagSwitch } from "../../shared/flags/use-flag-switch.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import classes from "./FlagControl.module.css";
import { KillSwitch } from "./KillSwitch.tsx";
import type { OpenEnvironment } from "./use-open-environment.ts";

/**
 * The switch of the flag in the open environment: for a kill switch, its state and one large button.
 * A user who may not switch flags sees only the state of a kill switch.
 */
export function FlagControl({ flag, open }: { flag: Flag; open: OpenEnvironment }) {
  const { environment, strategy } = open;
  const { isOn, switchTo } = useFlagSwitch({ flag, environment, strategy });
  const canWrite = useCan("strategy:write") && !flag.archived;
  const onSwitch = (next: boolean) => void switchTo(next);
  if (flag.flagType === "KILLSWITCH")
    return flag.archived ? null : (
      <KillSwitch
        environment={environment.name}
        isOn={isOn}
        onSwitch={canWrite ? onSwitch : undefined}
      />
    );
  if (!canWrite) return null;
  return (
    <div className={classes.control}>
      <span className={classes.environment}>
        <EnvironmentChip id={environment.id} name={environment.name} />
      </span>
      <FlagSwitch flag={flag.name} environment={environment.name} isOn={isOn} onSwitch={onSwitch} />
    </div>
  );
}
