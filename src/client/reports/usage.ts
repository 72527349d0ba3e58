import { ApiError } from "../../core/errors/api-error.ts";
import { JSON_HEADERS, readBody } from "../../http/json.ts";
import { applicationName, callingInstance, type Instance } from "../usage/instance.ts";
import { type Evaluations, usageOf } from "../usage/reported-counts.ts";
import { requestSchemas } from "../edge/lazy-schemas.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";

/** The headers of all accepted reports, which have the same interval. */
const HEADERS = new Headers(JSON_HEADERS);

/** The route that accepts usage reports. The path and the operation id call a usage report "metrics". */
export const reportUsage: ClientRoute = {
  operationId: "reportMetrics",
  method: "post",
  path: "/metrics",
  permission: "usage:report",
  respond,
};

/**
 * Accepts a usage report. Returns 202 once the isolate has added the counts to its own. Throws: 400 for an
 * invalid report; 503 while the isolate can deliver no usage, and then the SDK sends the report again.
 */
async function respond(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge } = call;
  const { reportRequest } = await requestSchemas();
  const report = await readBody(c, reportRequest).catch((error: unknown) => {
    edge.metrics.reports.rejected.add();
    throw error;
  });
  const { headers: sent } = c.req.raw;
  const instance = callingInstance(sent, served.key, report);
  const appName = instance?.appName ?? applicationName(sent, report);
  const counted = acceptReport(call, report, { instance, appName });
  HEADERS.set("X-Report-Interval", String(call.ports.usage.reportSeconds));
  return { status: 202, headers: HEADERS, body: JSON.stringify(counted) };
}

interface Report {
  readonly evaluations: Evaluations;
  /** The revision of the rules that the instance evaluates. */
  readonly revision?: number | undefined;
}

/**
 * Adds the counts of a report to those of the isolate, and marks the instance as seen. Returns how many
 * entries were counted and how many were ignored. Throws: 503 while the isolate can deliver no usage.
 */
export function acceptReport(
  { served: { key, set }, edge, ports }: Omit<ClientCall, "c">,
  { evaluations: counts, revision }: Report,
  by: { readonly instance: Instance | undefined; readonly appName: string | undefined },
): { readonly accepted: number; readonly ignored: number } {
  const { reports } = edge.metrics;
  const flags = edge.rules.flags(set);
  const entries = Object.entries(counts);
  const isServer = key.keyType === "SERVER";
  // Counts archived flags, too. Users want to see whether anything still uses an archived flag
  // before they delete it. A browser must not learn from the answer that a hidden flag exists.
  const known = entries.filter(([flag]) =>
    isServer
      ? flags.variantsOf(flag) !== undefined || set.archivedKeys.has(flag)
      : flags.isPublic(flag) || set.publicArchivedKeys.has(flag),
  );
  // Anybody can invent variants with a FRONTEND key, because it is public. A SERVER key's report may
  // know a new variant before this isolate does.
  const counted = known.flatMap(([flag, one]) =>
    usageOf(flag, one, isServer ? undefined : flags.variantsOf(flag)),
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
