import { z } from "zod";
import { ApiError } from "../../core/errors/api-error.ts";
import { readableText } from "../../http/schema.ts";
import { getFlagByKey } from "../../management/flags/key-service.ts";
import type { StrategyInput } from "../../changes/plan/operation.ts";
import { strategyKey } from "../../changes/plan/state.ts";
import { exactPercentage } from "../../management/strategies/schema.ts";
import { getStrategy, setStrategy, settingStrategy } from "../../management/strategies/service.ts";
import { environmentNamed, environmentsOf, nameText, projectOf } from "../session/resolve.ts";
import { callOfAgent, type AgentSession } from "../session/session.ts";
import { environmentInput, flagInput, projectInput } from "./flag.ts";
import { changedSince, type Current, NOTHING, receipt, type Receipt, write } from "./receipt.ts";
import type { Tool } from "./tool.ts";

/** Why a change is made: as the header `X-Change-Reason` and the title of a change request. */
export const reasonInput = readableText(500).trim().min(1).describe("Why, for the audit trail");

const target = {
  ...projectInput,
  flag: flagInput,
  environment: environmentInput,
  version: z.int().min(0).describe("states[].version of get_flag"),
};

const rollOutInput = z.strictObject({
  ...target,
  percentage: exactPercentage,
  dryRun: z.boolean().optional().describe("true: only says how many users change, 0 to 1"),
  reason: reasonInput,
});

export const setRollout: Tool<typeof rollOutInput, typeof receipt> = {
  name: "set_rollout",
  title: "Set a roll-out",
  description:
    "Sets the percentage of users in one environment, 0 to 100 with up to three decimals. Does not " +
    "switch the flag on.",
  effect: "changes",
  input: rollOutInput,
  output: receipt,
  run: (session, { percentage, ...given }) =>
    change(session, given, { exactPercentage: percentage }),
};

const switchInput = z.strictObject({ ...target, on: z.boolean(), reason: reasonInput });

export const switchFlag: Tool<typeof switchInput, typeof receipt> = {
  name: "switch_flag",
  title: "Switch a flag",
  description: "Switches a flag on or off in one environment.",
  effect: "changes",
  input: switchInput,
  output: receipt,
  run: (session, { on, ...given }) => change(session, given, { enabled: on }),
};

interface Given {
  readonly project?: number | undefined;
  readonly flag: string;
  readonly environment: string;
  readonly version: number;
  readonly reason: string;
  readonly dryRun?: boolean | undefined;
}

async function change(
  session: AgentSession,
  { project, flag: key, environment: named, version, reason, dryRun = false }: Given,
  input: StrategyInput,
): Promise<Receipt> {
  const call = callOfAgent(session, reason);
  const projectId = await projectOf(call, project);
  const environments = await environmentsOf(call, projectId);
  const environment = environmentNamed(environments, named);
  if (session.actor.token.environmentIds?.includes(environment.id) === false)
    throw new ApiError(
      "FORBIDDEN",
      `The token may not change ${nameText(environment.name)}. Ask its owner.`,
    );
  const { id: flagId } = await getFlagByKey(call, { projectId, key });
  const id = { flagId, environmentId: environment.id };
  const setting = { ...id, ifMatch: [version], change: input };
  const operation = settingStrategy(setting);
  const current: Current = async () => {
    const { version: now } = await getStrategy(call, id);
    return { of: "strategy", version: now };
  };
  if (!dryRun)
    return write({
      session,
      call,
      operation,
      reason,
      environments,
      current,
      versionOf: ({ work }) =>
        work.strategies.get(strategyKey(flagId, environment.id))?.version ?? version,
    });
  try {
    const { moves = 0 } = await setStrategy(call, { ...setting, dryRun });
    return { ...NOTHING, status: "preview", version, moves };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    throw await changedSince(operation, current);
  }
}
