import { z } from "@hono/zod-openapi";
import { body, empty } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { readBody } from "../../http/json.ts";
import { NO_SNIFFING } from "../../http/security-headers.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../surface.ts";
import { isObject } from "../usage/reported-counts.ts";
import { acceptReport } from "../usage/usage.ts";
import { evaluationsIn } from "./bucket.ts";
import { markUnleashInstance, unleashApplication, unleashInstance } from "./instance.ts";

const tags = ["Unleash"];

const registerRequest = z
  .object({ appName: z.unknown(), instanceId: z.unknown(), sdkVersion: z.unknown() })
  .partial()
  .openapi("UnleashRegistration", {
    example: { appName: "shop", instanceId: "shop-7f9c", sdkVersion: "unleash-node-sdk:6.12.1" },
  });

const metricsRequest = z
  .object({ appName: z.unknown(), instanceId: z.unknown(), bucket: z.unknown() })
  .partial()
  .openapi("UnleashMetrics", {
    example: {
      appName: "shop",
      instanceId: "shop-7f9c",
      bucket: {
        start: "2026-01-02T03:04:05.678Z",
        stop: "2026-01-02T03:05:05.678Z",
        toggles: { "new-checkout": { yes: 120, no: 80, variants: {} } },
      },
    },
  });

const NO_BODY = new Headers(NO_SNIFFING);
const ACCEPTED: ClientResponse = { status: 202, headers: NO_BODY, body: null };

const DESCRIPTION =
  "`bucket.toggles` has the counts since the last report, by flag key. Entries that are not valid are " +
  "ignored, because some SDKs never report again after an error.";

/** The parts that the routes for servers and those for front ends share. */
const registration = {
  contract: {
    method: "post",
    summary: "Register an instance of an Unleash SDK",
    description: "With a `SERVER` key, the instance becomes one of the project's client instances.",
    tags,
    request: { body: body(registerRequest) },
    responses: { 202: empty("The instance is registered"), ...errors(400, 401, 403) },
  },
  respond: register,
} as const;

const report = {
  contract: {
    method: "post",
    summary: "Report usage from an Unleash SDK",
    description: DESCRIPTION,
    tags,
    request: { body: body(metricsRequest) },
    responses: { 202: empty("The counts are accepted"), ...errors(400, 401, 403) },
  },
  respond: reportCounts,
} as const;

// A server SDK sends both with the key with which it fetches rules, so both need the same permission.
export const registerServer: ClientRoute = {
  ...registration,
  permission: "rules:read",
  contract: {
    ...registration.contract,
    path: "/client/register",
    operationId: "unleashRegister",
  },
};

export const reportOfServer: ClientRoute = {
  ...report,
  permission: "rules:read",
  contract: { ...report.contract, path: "/client/metrics", operationId: "unleashMetrics" },
};

export const registerFrontend: ClientRoute = {
  ...registration,
  permission: "usage:report",
  contract: {
    ...registration.contract,
    path: "/frontend/client/register",
    operationId: "unleashFrontendRegister",
  },
};

export const reportOfFrontend: ClientRoute = {
  ...report,
  permission: "usage:report",
  contract: {
    ...report.contract,
    path: "/frontend/client/metrics",
    operationId: "unleashFrontendMetrics",
  },
};

/** Reads a JSON body. Returns no fields when it is not an object. Throws: 400 when it is not JSON. */
async function fieldsOf({ c }: ClientCall): Promise<Readonly<Record<string, unknown>>> {
  const sent = await readBody(c, z.unknown());
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
  acceptReport(call, { evaluations }, { instance: unleashInstance(call, fields), appName });
  return ACCEPTED;
}
