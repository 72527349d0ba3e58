import { Badge } from "@mantine/core";
import type { Integration } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

const COLOURS = { on: "green", off: "gray", failing: "yellow", switchedOff: "red" } as const;

type State = keyof typeof COLOURS;

export const STATES = Object.keys(COLOURS) as readonly State[];

/**
 * The state of an integration. `switchedOff`: the service turned it off, after its deliveries had
 * failed for three days, or after a response with the status 410.
 */
export function stateOf({ enabled, failingSince, switchedOffAt }: Integration): State {
  if (!enabled) return switchedOffAt === null ? "off" : "switchedOff";
  return failingSince === null ? "on" : "failing";
}

export function StateBadge({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const state = stateOf(integration);
  return (
    <Badge variant="dot" color={COLOURS[state]}>
      {t(`integrations.states.${state}`)}
    </Badge>
  );
}
