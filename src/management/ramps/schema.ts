import { z } from "@hono/zod-openapi";
import { type Actor, allows } from "@feature-flags/permissions/permissions";
import { type BeforeRamp, RAMP_STATES, STOP_ACTIONS } from "../../core/ramps/ramp.ts";
import { ACTOR_KINDS } from "../../db/schema/records.ts";
import { pageOf, pageQuery, MAX_PAGE_SIZE, type PageRequest, toPage } from "../../http/paging.ts";
import { id, idText, iso, isoOrNull, timestamp } from "../../http/schema.ts";
import { proposeQuery } from "../shared/propose-query.ts";
import { exactPercentage } from "../strategies/schema.ts";
import type { RampRow } from "../../model/ramps/queries.ts";
import { OBSTACLES } from "../../model/ramps/records.ts";

const MAX_STEPS = 20;
/** The longest hold, minutes: 90 days. */
const MAX_HOLD = 129_600;
const MAX_EVALUATIONS = 1_000_000_000;

const holdMinutes = z.int().min(1).max(MAX_HOLD).nullable().openapi({
  description:
    "How long the percentage stays before the next step, in minutes, up to 90 days. Null: until somebody advances the ramp",
});

const steps = z
  .array(z.object({ exactPercentage, holdMinutes }))
  .min(1, "must have a step")
  .max(MAX_STEPS, `must have at most ${MAX_STEPS} steps`);

export const rampFields = {
  ruleId: z.string().min(1).max(100).optional().openapi({
    description: "The ordered rule whose percentage is raised. Default: the strategy itself",
  }),
  steps,
  minEvaluations: z.int().min(1).max(MAX_EVALUATIONS).optional().openapi({
    description:
      "How often the flag must be evaluated during a hold. With fewer evaluations, the hold lasts longer",
  }),
};

const stopAction = z.enum(STOP_ACTIONS);
const stop = z.object({ action: stopAction });

const EXAMPLE_TOKEN = "q3Zf0yK7mVwEo1bXtHnLr8sUaGcJdPiQ2RkTzYvWx5M";
const EXAMPLE_URL = `https://flags.example.com/api/v1/ramp-stops/${EXAMPLE_TOKEN}`;

const EXAMPLE_STEPS = [
  { exactPercentage: 1, holdMinutes: 60 },
  { exactPercentage: 25, holdMinutes: 1440 },
  { exactPercentage: 100, holdMinutes: null },
];

export const startRequest = z
  .object({
    flagId: id,
    environmentId: id,
    ...rampFields,
    stop: stop.optional().openapi({
      description: "Gives the ramp a stop URL. Not with `propose=true`",
    }),
  })
  .openapi("StartRamp", {
    example: { flagId: 12, environmentId: 3, steps: EXAMPLE_STEPS, stop: { action: "abort" } },
  });

export const startQuery = z.object(proposeQuery);

export const stopUrlRequest = stop.openapi("NewStopUrl", { example: { action: "pause" } });

export const stopUrlResponse = z
  .object({
    stopUrl: z.url().openapi({
      description: "A secret URL. A POST to it pauses or aborts the ramp. It is shown only once",
    }),
  })
  .openapi("StopUrl", { example: { stopUrl: EXAMPLE_URL } });

/** A token in a path. A text of another form is unknown, too. */
export const stopParams = z.object({
  token: z
    .string()
    .max(200)
    .openapi({ param: { name: "token", in: "path" }, example: EXAMPLE_TOKEN }),
});

export const listQuery = z.object({
  projectId: idText.optional(),
  flagId: idText.optional(),
  state: z
    .enum([...RAMP_STATES, "active"])
    .optional()
    .openapi({ description: "`active`: waiting, running or paused" }),
  ...pageQuery(MAX_PAGE_SIZE),
});

/** Describes a name that API keys do not see, as in audit records. */
const NAMES = "Null for an API key as the caller, if it is of a user";

const rampResponseFields = {
  id,
  projectId: id,
  flagId: id,
  flagKey: z.string(),
  flagName: z.string(),
  environmentId: id,
  environmentName: z.string(),
  ruleId: z.string().nullable(),
  state: z.enum(RAMP_STATES).openapi({
    description:
      "`waiting`: until somebody advances it; `stopped`: somebody has changed the strategy, which keeps that change",
  }),
  steps: z.array(z.object({ exactPercentage: z.number(), holdMinutes: z.int().nullable() })),
  step: z.int().openapi({ description: "The index of the step that was executed last" }),
  before: z
    .object({ enabled: z.boolean(), exactPercentage: z.number() })
    .openapi({ description: "What was set before the ramp. Aborting restores it" }),
  minEvaluations: z.int().nullable(),
  stopAction: stopAction.nullable().openapi({
    description: "What the stop URL does. Null: the ramp has no stop URL",
  }),
  changeRequestId: id.nullable().openapi({
    description: "The change request that has started the ramp",
  }),
  startedBy: z.object({
    kind: z.enum(ACTOR_KINDS),
    id: id.nullable(),
    name: z.string().nullable().openapi({ description: NAMES }),
  }),
  stepAt: timestamp.openapi({ description: "When the last step was executed" }),
  nextAt: timestamp.nullable().openapi({
    description: "When the hold ends. Null: somebody ends it, or the ramp does not run",
  }),
  remainingMs: z.int().nullable().openapi({
    description: "What is left of the hold of a paused ramp, milliseconds",
  }),
  reason: z.string().nullable().openapi({ description: "Why the ramp is paused, or has ended" }),
  createdAt: timestamp,
  updatedAt: timestamp,
  endedAt: timestamp.nullable(),
};

const RAMP = {
  id: 5,
  projectId: 1,
  flagId: 12,
  flagKey: "new-checkout",
  flagName: "New checkout",
  environmentId: 3,
  environmentName: "production",
  ruleId: null,
  state: "running" as const,
  steps: EXAMPLE_STEPS,
  step: 1,
  before: { enabled: false, exactPercentage: 100 },
  minEvaluations: null,
  stopAction: "abort" as const,
  changeRequestId: null,
  startedBy: { kind: "user" as const, id: 2, name: "dev@example.com" },
  stepAt: "2026-01-02T04:04:05.678Z",
  nextAt: "2026-01-03T04:04:05.678Z",
  remainingMs: null,
  reason: null,
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T04:04:05.678Z",
  endedAt: null,
};

export const rampResponse = z.object(rampResponseFields).openapi("Ramp", { example: RAMP });

export const startResponse = z
  .object({ ...rampResponseFields, stopUrl: stopUrlResponse.shape.stopUrl.optional() })
  .openapi("StartedRamp", {
    example: { ...RAMP, stopUrl: EXAMPLE_URL },
  });

export const pageResponse = pageOf(rampResponse).openapi("RampPage");

/** Returns the path of a ramp, for the header `Location`. */
export const pathOf = ({ id: number }: RampRow): string => `/api/v1/ramps/${number}`;

/** Returns the stop URL with a token. `base` is a URL of the service. */
export const stopUrlOf = (token: string, base: string): string =>
  new URL(`/api/v1/ramp-stops/${token}`, base).href;

/** Returns a ramp as the API shows it. A ramp that cannot go on is shown as stopped. */
export function toRamp(row: RampRow, reader: Actor): z.infer<typeof rampResponse> {
  const { obstacle, starterKind, starterName } = row;
  const seesName = starterKind !== "user" || allows(reader, "user:read-names");
  return {
    id: row.id,
    projectId: row.projectId,
    flagId: row.flagId,
    flagKey: row.flagKey,
    flagName: row.flagName,
    environmentId: row.environmentId,
    environmentName: row.environmentName,
    ruleId: row.ruleId,
    state: obstacle === null ? row.state : "stopped",
    steps: row.steps.map((step) => ({ ...step })),
    step: row.step,
    // The service has written it in this form.
    before: row.before as BeforeRamp,
    minEvaluations: row.minEvaluations,
    stopAction: row.stopAction,
    changeRequestId: row.changeRequestId,
    startedBy: { kind: starterKind, id: row.starterId, name: seesName ? starterName : null },
    stepAt: iso(row.stepAt),
    nextAt: obstacle === null ? isoOrNull(row.nextAt) : null,
    remainingMs: obstacle === null ? row.remainingMs : null,
    reason: obstacle === null ? row.reason : OBSTACLES[obstacle],
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    endedAt: isoOrNull(row.endedAt),
  };
}

export const toRampPage = (
  { items, total }: { readonly items: readonly RampRow[]; readonly total: number },
  query: PageRequest,
  reader: Actor,
): z.infer<typeof pageResponse> => {
  const page = toPage(
    items.map((row) => toRamp(row, reader)),
    query,
    total,
  );
  return { ...page, items: [...page.items] };
};
