import { z } from "@hono/zod-openapi";
import { reportMessages } from "../core/usage/split-messages.ts";
import { body, json, sdkHeaders } from "../http/contract.ts";
import { errors } from "../http/error-contract.ts";
import { JSON_HEADERS, readBody } from "../http/json.ts";
import { name } from "../http/schema.ts";
import { unavailable } from "./edge.ts";
import { callingInstance } from "./last-seen.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "./surface.ts";

/**
 * The most flags in a usage report, and the greatest count of one flag. These limits are part of
 * the API (docs/decisions.md, 4.6). A larger count is a bug of the SDK.
 */
const MAX_EVALUATIONS = 10_000;
const MAX_COUNT = 1_000_000_000;

/**
 * After this many field errors the check of the evaluations ends, so that the response stays small
 * when every entry is wrong.
 */
const MAX_FIELD_ERRORS = 100;

type Evaluations = Readonly<Record<string, { readonly t: number; readonly f: number }>>;

/** A field error of the evaluations, as Zod expects it. */
interface Issue {
  readonly path: string[];
  readonly message: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCount = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;

/**
 * Returns the field errors of the evaluations in a usage report. The check is written by hand:
 * Zod's record schema skips the key `__proto__`, and takes three times as long.
 */
function evaluationIssues(value: unknown): Issue[] {
  if (!isObject(value)) return [{ path: [], message: "must be an object" }];
  const entries = Object.entries(value);
  if (entries.length > MAX_EVALUATIONS)
    return [{ path: [], message: `must have at most ${MAX_EVALUATIONS} entries` }];
  const issues: Issue[] = [];
  for (const [key, counts] of entries) {
    if (!isObject(counts)) issues.push({ path: [key], message: "must be an object" });
    else
      for (const field of ["t", "f"])
        if (!isCount(counts[field]))
          issues.push({
            path: [key, field],
            message: `must be a whole number from 0 to ${MAX_COUNT}`,
          });
    if (issues.length >= MAX_FIELD_ERRORS) break;
  }
  return issues;
}

const count = { type: "integer", minimum: 0, maximum: MAX_COUNT } as const;

const evaluations = z
  .custom<Evaluations>()
  .superRefine((value, context) => {
    for (const issue of evaluationIssues(value)) context.addIssue({ code: "custom", ...issue });
  })
  .openapi({
    type: "object",
    maxProperties: MAX_EVALUATIONS,
    additionalProperties: {
      type: "object",
      properties: { t: count, f: count },
      required: ["t", "f"],
    },
    description: "By flag key: how often the flag was true (`t`) and false (`f`)",
  });

const reportRequest = z
  .object({
    evaluations,
    appName: name.optional(),
    instanceId: name.optional(),
    sdkVersion: name.optional(),
    revision: z
      .int()
      .min(0)
      .optional()
      .openapi({ description: "The revision of the rules that the instance evaluates" }),
  })
  .openapi("Metrics", {
    example: {
      evaluations: { "new-checkout": { t: 120, f: 80 } },
      appName: "web-shop",
      instanceId: "web-shop-7f9c",
      sdkVersion: "node:2.1.0",
      revision: 8,
    },
  });

const reportResponse = z
  .object({
    accepted: z.int().openapi({ description: "The number of entries that will be counted" }),
    ignored: z.int().openapi({ description: "The number of entries of unknown flags" }),
  })
  .openapi("MetricsAccepted", { example: { accepted: 1, ignored: 0 } });

/**
 * The route that accepts usage reports. The API calls a usage report "metrics": the path and the
 * operation id keep that name.
 */
export const reportUsage: ClientRoute = {
  permission: "usage:report",
  contract: {
    method: "post",
    path: "/metrics",
    operationId: "reportMetrics",
    summary: "Report how often flags were true and false",
    description:
      "Send the counts since the last report, by flag key. Entries of unknown flags are ignored. " +
      "Accepted counts appear in the metrics of the flags within a minute. With a `SERVER` key, " +
      "`instanceId` makes the SDK one of the project's client instances.",
    tags: ["Client"],
    ...sdkHeaders,
    request: { body: body(reportRequest) },
    responses: {
      202: json(reportResponse, "How many entries will be counted, and how many are ignored"),
      ...errors(400, 401, 403),
    },
  },
  respond,
};

/**
 * Accepts a usage report. Returns 202 once the usage queue has its counts. Throws: 400 for an
 * invalid report; 503 when the queue fails, and then the SDK sends the report again.
 */
async function respond({ c, served, edge, ports }: ClientCall): Promise<ClientResponse> {
  const { reports } = edge.metrics;
  const report = await readBody(c, reportRequest).catch((error: unknown) => {
    reports.rejected.add();
    throw error;
  });
  const { key, set } = served;
  const keys = edge.rules.keys(set);
  const entries = Object.entries(report.evaluations);
  const known = entries.filter(([flag]) => keys.has(flag));
  const instance = callingInstance(c.req.raw.headers, key, report);
  const messages = reportMessages(
    {
      environmentId: key.environmentId,
      at: ports.now(),
      instance: instance ? { appName: instance.appName, instanceId: instance.instanceId } : null,
      evaluations: known.flatMap(([flag, { t, f }]) => (t + f > 0 ? [[flag, t, f] as const] : [])),
    },
    () => crypto.randomUUID(),
  );
  if (messages.length > 0)
    await ports.sendUsage(messages).catch((error: unknown) => {
      reports.failed.add();
      throw unavailable(ports, error);
    });
  if (instance) {
    // A revision that does not exist yet is ignored, because it would hide the later, true
    // revisions of the instance.
    const { revision } = report;
    const isKnown = revision !== undefined && revision <= set.snapshot.revision;
    edge.lastSeen.instance(ports, instance, isKnown ? revision : null);
  }
  reports.accepted.add();
  const accepted = known.length;
  return {
    status: 202,
    headers: new Headers(JSON_HEADERS),
    body: JSON.stringify({ accepted, ignored: entries.length - accepted }),
  };
}
