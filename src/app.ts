import { Hono } from "hono";
import { SURFACES } from "./client/routes.ts";
import { type ClientEnv, mountSurfaces } from "./client/edge/surface.ts";
import { lazily } from "./core/lib/lazily.ts";
import { errorResponse } from "./http/error-response.ts";
import { recordUntraced } from "./http/middleware.ts";
import { requestOf } from "./http/request-of.ts";
import { clientPorts } from "./platform/client-ports.ts";
import { edge } from "./platform/edge.ts";
import { recordRequest } from "./record-request.ts";
import { assertConfigured } from "./platform/runtime/settings.ts";

interface AppEnv extends ClientEnv {
  Bindings: Env;
}

/**
 * All routes. The routes of the client API run without middleware, so that a request of an SDK passes
 * through a single handler. `src/api.ts` has all other routes. The app imports that file with the first
 * request for such a route, because most isolates serve only SDKs, and the schemas of the management
 * API are more than half of the time in which an isolate starts.
 */
export const app = new Hono<AppEnv>();

const clientFallback = mountSurfaces(app, SURFACES, {
  world: (c) => {
    assertConfigured(c.env);
    return { edge, ports: clientPorts(c.env, c.executionCtx, () => requestOf(c)) };
  },
  record: recordRequest,
});

/** The routes of `src/api.ts`, imported with the first request for one of them. */
const management = lazily(() => import("./api.ts"));

app.notFound(async (c) => {
  const response = await clientFallback(c);
  if (response) return response;
  const { api } = await management();
  return api.fetch(c.req.raw, c.env, c.executionCtx);
});

const untraced = recordUntraced(recordRequest);
app.onError((error, c) => untraced(c, errorResponse(error, c)));
