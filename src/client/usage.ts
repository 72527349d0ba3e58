import { z } from "@hono/zod-openapi";
import type { UsageReport } from "../core/usage/message-types.ts";
import { reportMessages } from "../core/usage/split-messages.ts";
import { body, json, sdkHeaders } from "../http/contract.ts";
import { errors } from "../http/error-contract.ts";
import { JSON_HEADERS, readBody } from "../http/json.ts";
import { name } from "../http/schema.ts";
import { unavailable } from "./edge.ts";
import { applicationName, callingInstance, type Instance } from "./instance.ts";
import { evaluations, usageOf } from "./reported-counts.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "./surface.ts";

/**
 * Returns the SDK instance to which a usage report is counted. Without an instance, the report is
 * counted to its application; null: it names neither.
 */
export function reporterOf(
  instance: Instance | undefined,
  appName: string | undefined,
): UsageReport["instance"] {
  if (instance) return { appName: instance.appName, instanceId: instance.instanceId };
  return appName === undefined ? null : { appName, instanceId: "" };
}

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
      evaluations: {
        "new-checkout": { t: 120, f: 80 },
        "button-colour": { t: 150, f: 50, v: { blue: 90, green: 60, grey: 50 } },
      },
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
  .openapi("MetricsAccepted", { example: { accepted: 2, ignored: 0 } });

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
    summary: "Report how often flags were true and false, and which variants they served",
    description:
      "Send the counts since the last report, by flag key. Entries of archived flags are counted, " +
      "entries of unknown flags are ignored, and so are counts of variants that a flag does not " +
      "have. Accepted counts appear in the metrics of the flags " +
      "within a minute. With a `SERVER` key, `instanceId` makes the SDK one of the project's client " +
      "instances. With a `FRONTEND` key, `appName` counts and `instanceId` is ignored.",
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

type Report = z.infer<typeof reportRequest>;

/**
 * Accepts a usage report. Returns 202 once the usage queue has its counts. Throws: 400 for an
 * invalid report; 503 when the queue fails, and then the SDK sends the report again.
 */
async function respond(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge } = call;
  const report = await readBody(c, reportRequest).catch((error: unknown) => {
    edge.metrics.reports.rejected.add();
    throw error;
  });
  const { headers } = c.req.raw;
  const instance = callingInstance(headers, served.key, report);
  const reporter = reporterOf(instance, applicationName(headers, report));
  const counted = await acceptReport(call, report, { instance, reporter });
  return { status: 202, headers: new Headers(JSON_HEADERS), body: JSON.stringify(counted) };
}

/**
 * Sends the counts of a report to the usage queue, and marks the instance as seen. Returns how many
 * entries are counted and ignored. Throws: 503 when the queue fails.
 */
export async function acceptReport(
  { served: { key, set }, edge, ports }: Omit<ClientCall, "c">,
  { evaluations: counts, revision }: Pick<Report, "evaluations" | "revision">,
  by: { readonly instance: Instance | undefined; readonly reporter: UsageReport["instance"] },
): Promise<{ readonly accepted: number; readonly ignored: number }> {
  const { reports } = edge.metrics;
  const keys = edge.rules.keys(set);
  const entries = Object.entries(counts);
  // An archived flag is counted, too: before its deletion, users ask whether anything still uses it.
  const known = entries.filter(([flag]) => keys.has(flag) || set.archivedKeys.has(flag));
  const messages = reportMessages(
    {
      environmentId: key.environmentId,
      at: ports.now(),
      instance: by.reporter,
      evaluations: known.flatMap(([flag, one]) => usageOf(flag, one)),
    },
    () => crypto.randomUUID(),
  );
  if (messages.length > 0)
    await ports.sendUsage(messages).catch((error: unknown) => {
      reports.failed.add();
      throw unavailable(ports, error);
    });
  if (by.instance) {
    // A reported revision that does not exist yet is ignored. The newest revision of an instance is
    // kept, so a false one would hide the true ones.
    const isKnown = revision !== undefined && revision <= set.snapshot.revision;
    const seen = { revision: isKnown ? revision : null, fetchesRules: false };
    edge.lastSeen.instance(ports, by.instance, seen);
  }
  reports.accepted.add();
  return { accepted: known.length, ignored: entries.length - known.length };
}
