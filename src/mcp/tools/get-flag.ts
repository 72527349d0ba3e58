import { z } from "zod";
import { ApiError } from "../../core/errors/api-error.ts";
import { openRequestsOf } from "../../workflows/change-requests/read-service.ts";
import type { RequestCall } from "../../access/call.ts";
import type { ListedEnvironment } from "../../model/environments/queries.ts";
import { getFlagByKey } from "../../management/flags/key-service.ts";
import { relatedOf } from "../../management/flags/related.ts";
import { type Propagation, propagation } from "../../management/instances/service.ts";
import { toPropagation } from "../../management/instances/schema.ts";
import type { StrategyRow } from "../../model/strategies/queries.ts";
import { toStrategy } from "../../management/strategies/schema.ts";
import { listStrategies } from "../../management/strategies/service.ts";
import { cut, cutParts, cutText, fitting } from "../session/fit.ts";
import { environmentNamed, environmentsOf, projectOf } from "../session/resolve.ts";
import { callOfAgent, type AgentSession } from "../session/session.ts";
import { changeRequestUrl, flagUrl } from "../session/urls.ts";
import { environmentInput, flagInput, flagOutput, projectInput, toFlagOutput } from "./flag.ts";
import type { Tool } from "./tool.ts";

/** How many open change requests of a flag the result has. */
const MAX_REQUESTS = 20;
/** How many environments the result has if it would be too large. */
const MAX_STATES = 20;

const input = z.strictObject({
  ...projectInput,
  flag: flagInput,
  environment: environmentInput.optional().describe("Adds strategy and propagation there"),
});

const state = z.object({
  environment: z.string(),
  production: z.boolean(),
  protected: z.boolean(),
  on: z.boolean(),
  percentage: z.number(),
  rules: z.int(),
  version: z.int(),
  revision: z.int(),
});

const output = z.object({
  ...flagOutput,
  clients: z.string(),
  description: z.string().nullable(),
  owners: z.array(z.string()),
  requires: z.array(z.string()),
  variants: z.array(z.object({ key: z.string(), value: z.unknown() })),
  version: z.int(),
  url: z.string(),
  states: z.array(state),
  strategy: z.record(z.string(), z.unknown()).nullable(),
  propagation: z
    .object({ instances: z.int(), upToDate: z.int(), complete: z.boolean() })
    .nullable(),
  changeRequests: z.array(z.object({ id: z.int(), url: z.string() })),
});

export const getFlag: Tool<typeof input, typeof output> = {
  name: "get_flag",
  title: "Get a flag",
  description:
    "Reads a flag with its state in every environment. states[].version is for set_rollout " +
    "and switch_flag, version for archive_flag. After a change, call it with the environment until " +
    "propagation.complete is true.",
  effect: "reads",
  input,
  output,
  run: async (session, { project, flag: key, environment }) => {
    const call = callOfAgent(session);
    const projectId = await projectOf(call, project);
    const environments = await environmentsOf(call, projectId);
    const chosen =
      environment === undefined ? undefined : environmentNamed(environments, environment);
    const flag = await getFlagByKey(call, { projectId, key });
    const [strategies, related, requests, reach] = await Promise.all([
      listStrategies(call, { flagId: flag.id }),
      relatedOf(call, flag),
      openRequestsOf(call, flag, MAX_REQUESTS),
      chosen && reachIn(call, chosen.id),
    ]);
    const byId = new Map(environments.map((one) => [one.id, one]));
    const states = strategies.flatMap((row) => {
      const found = byId.get(row.environmentId);
      return found ? [toState(row, found)] : [];
    });
    const own = strategies.find((row) => row.environmentId === chosen?.id);
    const reached = reach && toPropagation(reach);
    return fitting((max) => ({
      ...toFlagOutput(flag, call.now()),
      clients: flag.clients,
      description: flag.description === null ? null : cutText(flag.description, max * 2),
      owners: related.owners.map(({ name }) => name),
      requires: flag.prerequisites.map(({ flagKey }) => flagKey),
      variants: flag.variants.map((one) => ({ key: one.key, value: cut(one.value, max) })),
      version: flag.version,
      url: flagUrl(session, flag),
      states: max === 0 ? states.slice(0, MAX_STATES) : states,
      strategy: own ? shownStrategy(own, max) : null,
      propagation: reached
        ? {
            instances: reached.instances.known,
            upToDate: reached.instances.upToDate,
            complete: reached.complete,
          }
        : null,
      changeRequests: requestsOf(session, projectId, requests),
    }));
  },
};

/** Returns where the rules of an environment have arrived; undefined while that cannot be read. */
async function reachIn(call: RequestCall, environmentId: number): Promise<Propagation | undefined> {
  try {
    return await propagation(call, { environmentId });
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return undefined;
    throw error;
  }
}

const requestsOf = (session: AgentSession, projectId: number, ids: readonly number[]) =>
  ids.map((id) => ({ id, url: changeRequestUrl(session, { id, projectId }) }));

const toState = (
  { content, version }: StrategyRow,
  { name, production, requiredApprovals, revision }: ListedEnvironment,
) => ({
  environment: name,
  production,
  protected: requiredApprovals > 0,
  on: content.enabled,
  percentage: content.percentage,
  rules: content.rules.length,
  version,
  revision,
});

/** Returns a strategy as the API shows it. `max`: the size above which a part is cut, bytes; 0: all. */
function shownStrategy(row: StrategyRow, max: number): Record<string, unknown> {
  const { flagId: _, environmentId: __, environmentName: ___, ...strategy } = toStrategy(row);
  if (max === 0) return { ...cut(strategy, max) };
  return cutParts(strategy, max) as Record<string, unknown>;
}
