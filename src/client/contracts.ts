import type { OpenAPIHono } from "@hono/zod-openapi";
import { security } from "../http/access.ts";
import { evaluate } from "./features/evaluate-contract.ts";
import { features } from "./features/features-contract.ts";
import { getManifest } from "./manifest/contract.ts";
import { evaluateFlag, evaluateFlags } from "./ofrep/contract.ts";
import type { RouteContract } from "./edge/route-contract.ts";
import { ofrepStream, stream } from "./stream/contract.ts";
import type { Surface } from "./edge/surface.ts";
import { unleashDelta, unleashFeatures } from "./unleash/features-contract.ts";
import { getFrontend, postFrontend } from "./unleash/frontend-contract.ts";
import { register, report } from "./unleash/reports-contract.ts";
import { reportUsage } from "./reports/contract.ts";

/** The contracts of all routes, by operation id. */
export const CONTRACTS: Readonly<Record<string, RouteContract>> = {
  getFeatures: features,
  evaluateFlags: evaluate,
  reportMetrics: reportUsage,
  streamRevisions: stream,
  ofrepEvaluateFlag: evaluateFlag,
  ofrepEvaluateFlags: evaluateFlags,
  ofrepStream,
  getManifest,
  unleashFeatures,
  unleashDelta,
  unleashFrontend: getFrontend,
  unleashFrontendPost: postFrontend,
  unleashRegister: register,
  unleashMetrics: report,
  unleashFrontendRegister: register,
  unleashFrontendMetrics: report,
};

/** Adds the routes of the surfaces to the API description. Throws: Error for a route without a contract. */
export function describeSurfaces(
  registry: OpenAPIHono["openAPIRegistry"],
  surfaces: readonly Surface[],
  contracts: Readonly<Record<string, RouteContract>>,
): void {
  for (const { roots, routes } of surfaces)
    for (const { operationId, method, path, permission } of routes) {
      const contract = contracts[operationId];
      if (!contract) throw new Error(`${operationId} has no contract`);
      registry.registerPath({
        ...contract,
        operationId,
        method,
        ...security(permission),
        path: `${roots[0]}${path}`,
      });
    }
}
