import { isObject } from "../../core/lib/is-object.ts";
import { readJson } from "../../http/json.ts";
import { NO_SNIFFING } from "../../http/security-headers.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";
import { acceptReport } from "../reports/usage.ts";
import { evaluationsIn } from "./bucket.ts";
import { markUnleashInstance, unleashApplication, unleashInstance } from "./instance.ts";

const NO_BODY = new Headers(NO_SNIFFING);
const ACCEPTED: ClientResponse = { status: 202, headers: NO_BODY, body: null };

// A server SDK sends both with the key with which it fetches rules, so both need the same permission.
export const registerServer: ClientRoute = {
  operationId: "unleashRegister",
  method: "post",
  path: "/client/register",
  permission: "rules:read",
  respond: register,
};

export const reportOfServer: ClientRoute = {
  operationId: "unleashMetrics",
  method: "post",
  path: "/client/metrics",
  permission: "rules:read",
  respond: reportCounts,
};

export const registerFrontend: ClientRoute = {
  operationId: "unleashFrontendRegister",
  method: "post",
  path: "/frontend/client/register",
  permission: "usage:report",
  respond: register,
};

export const reportOfFrontend: ClientRoute = {
  operationId: "unleashFrontendMetrics",
  method: "post",
  path: "/frontend/client/metrics",
  permission: "usage:report",
  respond: reportCounts,
};

/** Reads a JSON body. Returns no fields when it is not an object. Throws: 400 when it is not JSON. */
async function fieldsOf({ c }: ClientCall): Promise<Readonly<Record<string, unknown>>> {
  const sent = await readJson(c);
  return isObject(sent) ? sent : {};
}

async function register(call: ClientCall): Promise<ClientResponse> {
  markUnleashInstance(call, false, await fieldsOf(call));
  return ACCEPTED;
}

/**
 * Accepts a usage report: see `acceptReport`. Throws: 503 while the isolate can deliver no usage, and
 * then the SDK sends the counts again.
 */
async function reportCounts(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge } = call;
  const fields = await fieldsOf(call).catch((error: unknown) => {
    edge.metrics.reports.rejected.add();
    throw error;
  });
  const evaluations = evaluationsIn(fields["bucket"], edge.rules.flags(served.set));
  const appName = unleashApplication(c.req.raw.headers, fields);
  const instance = unleashInstance(call, fields);
  // A report names no specification, so the features of the last fetch stay.
  const unsaid = instance && { ...instance, sdkFeatures: undefined };
  acceptReport(call, { evaluations }, { instance: unsaid, appName });
  return ACCEPTED;
}
