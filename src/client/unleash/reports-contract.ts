import { z } from "@hono/zod-openapi";
import { body, empty } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import type { RouteContract } from "../edge/route-contract.ts";

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

export const register: RouteContract = {
  summary: "Register an instance of an Unleash SDK",
  description: "With a `SERVER` key, the instance becomes one of the project's client instances.",
  tags,
  request: { body: body(registerRequest) },
  responses: { 202: empty("The instance is registered"), ...errors(400, 401, 403) },
};

export const report: RouteContract = {
  summary: "Report usage from an Unleash SDK",
  description:
    "`bucket.toggles` has the counts since the last report, by flag key. Entries that are not valid are " +
    "ignored, because some SDKs never report again after an error.",
  tags,
  request: { body: body(metricsRequest) },
  responses: { 202: empty("The counts are accepted"), ...errors(400, 401, 403) },
};
