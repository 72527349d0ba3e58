import { bearerToken } from "../http/access.ts";
import { apiErrorBody } from "../http/error-response.ts";
import { evaluate } from "./evaluate.ts";
import { features } from "./features.ts";
import type { Surface } from "./surface.ts";
import { reportUsage } from "./usage.ts";

/** The routes of the client API, which SDKs call with an API key. */
export const clientApi: Surface = {
  roots: ["/api/client"],
  routes: [features, evaluate, reportUsage],
  apiKey: (headers) => bearerToken(headers.get("Authorization") ?? undefined),
  exposedHeaders: [
    "ETag",
    "X-Revision",
    "X-Delta",
    "X-Next-Since",
    "X-B3-TraceId",
    "X-B3-SpanId",
    "Warning",
    "Retry-After",
  ],
  errorBody: apiErrorBody,
};
