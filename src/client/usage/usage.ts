import { z } from "@hono/zod-openapi";
import { ApiError } from "../../core/errors/api-error.ts";
import { body, json, sdkHeaders } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { JSON_HEADERS, readBody } from "../../http/json.ts";
import { name } from "../../http/schema.ts";
import { applicationName, callingInstance, type Instance } from "./instance.ts";
import { evaluations, usageOf } from "./reported-counts.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../surface.ts";

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
 * The route that accepts usage reports. The path and the operation id call a usage report
 * "metrics".
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
      "within a minute. A report is counted at most once. Counts that got 202 are lost only if the " +
      "service's process ends within the seconds before it has stored them. With a `SERVER` key, `instanceId` makes the SDK one of the project's client " +
      "instances. With a `FRONTEND` key, `appName` counts and `instanceId` is ignored.",
    tags: ["Client"],
    ...sdkHeaders,
    request: { body: body(reportRequest) },
    responses: {
      202: json(
        reportResponse,
        "How many entries will be counted, and how many are ignored",
        "X-Report-Interval",
      ),
      ...errors(400, 401, 403),
    },
  },
  respond,
};

type Report = z.infer<typeof reportRequest>;

/**
 * Accepts a usage report. Returns 202 once the isolate has added the counts to its own. Throws: 400
 * for an invalid report; 503 while the isolate can deliver no usage, and then the SDK sends the
 * report again.
 */
async function respond(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge } = call;
  const report = await readBody(c, reportRequest).catch((error: unknown) => {
    edge.metrics.reports.rejected.add();
    throw error;
  });
  const { headers: sent } = c.req.raw;
  const instance = callingInstance(sent, served.key, report);
  const appName = instance?.appName ?? applicationName(sent, report);
  const counted = acceptReport(call, report, { instance, appName });
  const headers = new Headers(JSON_HEADERS);
  headers.set("X-Report-Interval", String(call.ports.usage.reportSeconds));
  return { status: 202, headers, body: JSON.stringify(counted) };
}

/**
 * Adds the counts of a report to those of the isolate, and marks the instance as seen. Returns how
 * many entries were counted and how many were ignored. Throws: 503 while the isolate can deliver no
 * usage.
 */
export function acceptReport(
  { served: { key, set }, edge, ports }: Omit<ClientCall, "c">,
  { evaluations: counts, revision }: Pick<Report, "evaluations" | "revision">,
  by: { readonly instance: Instance | undefined; readonly appName: string | undefined },
): { readonly accepted: number; readonly ignored: number } {
  const { reports } = edge.metrics;
  const flags = edge.rules.flags(set);
  const entries = Object.entries(counts);
  // Counts archived flags, too. Users want to see whether anything still uses an archived flag
  // before they delete it.
  const known = entries.filter(([flag]) => flags.variantsOf(flag) || set.archivedKeys.has(flag));
  // Anybody can invent variants with a FRONTEND key, because it is public. A SERVER key's report may
  // know a new variant before this isolate does.
  const isTrusted = key.keyType === "SERVER";
  const counted = known.flatMap(([flag, one]) =>
    usageOf(flag, one, isTrusted ? undefined : flags.variantsOf(flag)),
  );
  const isAdded =
    counted.length === 0 ||
    edge.usage.addReport(ports, key, {
      environmentId: key.environmentId,
      at: ports.now(),
      appName: by.appName ?? "",
      instanceId: by.instance?.instanceId ?? "",
      evaluations: counted,
    });
  if (!isAdded) {
    reports.failed.add();
    throw new ApiError(
      "SERVICE_UNAVAILABLE",
      "Usage cannot be counted at the moment; send the report again in 5 seconds",
    );
  }
  if (by.instance) {
    // Ignores a reported revision that does not exist yet. The newest revision of an instance is
    // kept, so a false revision would hide the true ones.
    const isKnown = revision !== undefined && revision <= set.snapshot.revision;
    const seen = { key, revision: isKnown ? revision : null, fetchesRules: false };
    edge.lastSeen.instance(ports, by.instance, seen);
  }
  reports.accepted.add();
  return { accepted: known.length, ignored: entries.length - known.length };
}
