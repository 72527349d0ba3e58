import { invalid } from "../../core/errors/api-error.ts";
import { access, openAtRate } from "../../http/access.ts";
import { body, empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { propose, proposedResponse } from "../shared/propose.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { setRevisions } from "../shared/revision-header.ts";
import { stopByToken } from "../../workflows/ramps/lifecycle.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const ramps = new Router<ManagementEnv>("Ramps");

ramps.endpoint(
  "GET /",
  {
    operationId: "listRamps",
    summary: "List ramps, the newest first",
    ...access("strategy:read"),
    request: { query: schema.listQuery },
    responses: { 200: json(schema.pageResponse, "The ramps"), ...errors(400, 401, 403) },
  },
  async (c) => {
    const query = c.req.valid("query");
    const page = await service.listRamps(callOfRequest(c), query);
    return c.json(schema.toRampPage(page, query, c.var.actor), 200);
  },
);

ramps.endpoint(
  "POST /",
  {
    operationId: "startRamp",
    summary: "Raise a percentage in up to 20 steps, and execute the first one",
    description:
      "The percentage is that of the strategy, or of one of its rules. A ramp of the strategy turns the flag on. A " +
      "strategy has at most one active ramp. Any other change of the strategy stops the ramp.",
    ...access("strategy:write"),
    request: { query: schema.startQuery, body: body(schema.startRequest) },
    responses: {
      201: json(schema.startResponse, "The ramp", "Location", "X-Revision"),
      ...proposedResponse,
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const { stop, ...start } = c.req.valid("json");
    if (c.req.valid("query").propose) {
      if (stop)
        throw invalid([
          {
            field: "stop",
            message: "must be left out of a change request; make the stop URL after the start",
          },
        ]);
      return propose(c, service.startingRamp(start));
    }
    const done = await service.startRamp(callOfRequest(c), { ...start, stop });
    const { ramp, revisions, stopToken } = done;
    setRevisions(c, revisions);
    const stopUrl = stopToken && schema.stopUrlOf(stopToken, c.var.deps.publicUrl ?? c.req.url);
    return c.json({ ...schema.toRamp(ramp, c.var.actor), ...(stopUrl && { stopUrl }) }, 201, {
      Location: schema.pathOf(ramp),
    });
  },
);

ramps.endpoint(
  "GET /{id}",
  {
    operationId: "getRamp",
    summary: "Read a ramp",
    ...access("strategy:read"),
    request: { params: idParams },
    responses: { 200: json(schema.rampResponse, "The ramp"), ...errors(400, 401, 403, 404) },
  },
  async (c) =>
    c.json(
      schema.toRamp(await service.getRamp(callOfRequest(c), c.req.valid("param")), c.var.actor),
      200,
    ),
);

const ACTIONS = [
  {
    path: "/{id}/pause",
    operationId: "pauseRamp",
    summary: "Pause a ramp; it keeps the rest of its hold",
    run: service.pauseRamp,
  },
  {
    path: "/{id}/resume",
    operationId: "resumeRamp",
    summary: "Resume a paused ramp with the rest of its hold",
    run: service.resumeRamp,
  },
  {
    path: "/{id}/advance",
    operationId: "advanceRamp",
    summary: "Execute the next step of a ramp now",
    run: service.advanceRamp,
  },
  {
    path: "/{id}/abort",
    operationId: "abortRamp",
    summary: "Abort a ramp: restore what was set before it",
    run: service.abortRamp,
  },
] as const;

for (const { path, run, ...action } of ACTIONS)
  ramps.endpoint(
    `POST ${path}`,
    {
      ...action,
      ...access("strategy:write"),
      request: { params: idParams },
      responses: {
        200: json(schema.rampResponse, "The ramp"),
        ...errors(400, 401, 402, 403, 404, 409),
      },
    },
    async (c) =>
      c.json(schema.toRamp(await run(callOfRequest(c), c.req.valid("param")), c.var.actor), 200),
  );

ramps.endpoint(
  "POST /{id}/stop-url",
  {
    operationId: "renewStopUrl",
    summary: "Make a stop URL for an active ramp, which replaces an earlier one",
    ...access("strategy:write"),
    request: { params: idParams, body: body(schema.stopUrlRequest) },
    responses: {
      201: json(schema.stopUrlResponse, "The stop URL"),
      ...errors(400, 401, 403, 404, 409),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json") };
    const { stopToken } = await service.renewStopUrl(callOfRequest(c), input);
    return c.json({ stopUrl: schema.stopUrlOf(stopToken, c.var.deps.publicUrl ?? c.req.url) }, 201);
  },
);

/** The stop URLs of ramps, mounted under their own path. */
export const rampStops = new Router<ManagementEnv>("Ramps");

rampStops.endpoint(
  "POST /{token}",
  {
    operationId: "callStopUrl",
    summary: "Pause or abort a ramp with its stop URL, such as from an alert manager",
    description:
      "The body is ignored. The response is the same for an unknown URL and for a ramp that has ended.",
    ...openAtRate("link"),
    request: { params: schema.stopParams },
    responses: { 202: empty("The ramp is paused or aborted, if the URL is known"), ...errors(400) },
  },
  async (c) => {
    await stopByToken(c.var.deps, c.req.valid("param").token);
    return c.body(null, 202);
  },
);
