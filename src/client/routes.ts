import { bearerToken } from "../http/access.ts";
import { apiErrorBody } from "../http/error-response.ts";
import { evaluate } from "./features/evaluate.ts";
import { features } from "./features/features.ts";
import { manifestErrorBody } from "./manifest/errors.ts";
import { getManifest } from "./manifest/route.ts";
import { ofrepErrorBody } from "./ofrep/errors.ts";
import { evaluateFlag, evaluateFlags } from "./ofrep/routes.ts";
import type { Surface } from "./edge/surface.ts";
import { ofrepStream, stream } from "./stream/routes.ts";
import { unleashKey } from "./unleash/api-key.ts";
import { unleashDelta, unleashFeatures } from "./unleash/features.ts";
import { getFrontend, postFrontend } from "./unleash/frontend.ts";
import {
  registerFrontend,
  registerServer,
  reportOfFrontend,
  reportOfServer,
} from "./unleash/reports.ts";
import { reportUsage } from "./reports/usage.ts";

/** The routes of the client API, which SDKs call with an API key. */
export const clientApi: Surface = {
  roots: ["/api/client"],
  routes: [features, evaluate, reportUsage, stream],
  apiKey: (headers) => bearerToken(headers.get("Authorization") ?? undefined),
  exposedHeaders: [
    "ETag",
    "X-Revision",
    "X-Delta",
    "X-Next-Since",
    "X-Report-Interval",
    "X-B3-TraceId",
    "X-B3-SpanId",
    "Warning",
    "Retry-After",
  ],
  errorBody: apiErrorBody,
};

/**
 * The routes of OFREP, the OpenFeature Remote Evaluation Protocol. The second root is the one that
 * the documentation of OpenFeature clients uses.
 */
const ofrep: Surface = {
  roots: ["/api/ofrep/v1", "/ofrep/v1"],
  dashboardRoots: ["/ofrep/v1"],
  routes: [evaluateFlag, evaluateFlags, ofrepStream],
  apiKey: (headers) =>
    bearerToken(headers.get("Authorization") ?? undefined) ?? headers.get("X-API-Key") ?? undefined,
  exposedHeaders: ["ETag", "X-Revision", "X-B3-TraceId", "X-B3-SpanId", "Warning", "Retry-After"],
  errorBody: ofrepErrorBody,
};

/** The manifest API of OpenFeature, which the OpenFeature CLI calls with a SERVER key. */
const manifestApi: Surface = {
  roots: ["/api/openfeature/v0", "/openfeature/v0"],
  dashboardRoots: ["/openfeature/v0"],
  routes: [getManifest],
  apiKey: (headers) => bearerToken(headers.get("Authorization") ?? undefined),
  exposedHeaders: ["ETag", "X-Manifest-Capabilities", "X-B3-TraceId", "X-B3-SpanId", "Retry-After"],
  errorBody: manifestErrorBody,
};

/** The client API of Unleash, for its SDKs. The second root is for Unleash Edge, which appends `/api`. */
const unleash: Surface = {
  roots: ["/api/unleash", "/api/unleash/api"],
  routes: [
    unleashFeatures,
    unleashDelta,
    registerServer,
    reportOfServer,
    getFrontend,
    postFrontend,
    registerFrontend,
    reportOfFrontend,
  ],
  apiKey: unleashKey,
  exposedHeaders: ["ETag", "X-Revision", "X-B3-TraceId", "X-B3-SpanId", "Warning", "Retry-After"],
  errorBody: apiErrorBody,
};

export const SURFACES: readonly Surface[] = [clientApi, ofrep, manifestApi, unleash];
