import { createRoute } from "@hono/zod-openapi";
import { reportMessages } from "../core/usage/split-messages.ts";
import { security } from "../http/access.ts";
import { body, json, sdkHeaders } from "../http/contract.ts";
import { errors } from "../http/error-contract.ts";
import { type ClientAnswer, type ClientCall, type ClientEnv, JSON_HEADERS } from "./answer.ts";
import { readBody } from "./body.ts";
import { unavailable } from "./edge.ts";
import { instanceOf } from "./instance.ts";
import { metricsRequest, metricsResponse } from "./metrics-schema.ts";

export const metrics = createRoute({
  method: "post",
  path: "/metrics",
  operationId: "reportMetrics",
  summary: "Report how often flags were true and false",
  description:
    "Counts since the last report, by flag key; those of unknown flags are ignored. What is accepted " +
    "shows in the metrics of the flags within a minute. `instanceId` makes a `SERVER` key's SDK one " +
    "of the project's client instances.",
  tags: ["Client"],
  ...security("usage:report"),
  ...sdkHeaders,
  request: { body: body(metricsRequest) },
  responses: {
    202: json(metricsResponse, "How many entries will be counted, and how many will not"),
    ...errors(400, 401, 403),
  },
});

/** Answers 202 once the queue has the report. Errors: 400; 503, then it is for the SDK to try again. */
export async function answerMetrics<E extends ClientEnv>(
  call: ClientCall<E>,
): Promise<ClientAnswer> {
  const { c, served, edge, ports } = call;
  const { reports } = edge.meters;
  const { evaluations, revision, ...said } = await readBody(c, metricsRequest).catch(
    (error: unknown) => {
      reports.rejected.add();
      throw error;
    },
  );
  const keys = edge.rules.keys(served.set);
  const entries = Object.entries(evaluations);
  const known = entries.filter(([key]) => keys.has(key));
  const instance = instanceOf(call, said);
  const messages = reportMessages(
    {
      environmentId: served.key.environmentId,
      at: ports.now(),
      instance: instance ? { appName: instance.appName, instanceId: instance.instanceId } : null,
      evaluations: known.flatMap(([key, { t, f }]) => (t + f > 0 ? [[key, t, f] as const] : [])),
    },
    () => crypto.randomUUID(),
  );
  if (messages.length > 0)
    await ports.sendUsage(messages).catch((error: unknown) => {
      reports.failed.add();
      throw unavailable(ports, error);
    });
  if (instance) {
    // One that the environment does not have yet would stand in the way of the true ones.
    const isKnown = revision !== undefined && revision <= served.set.snapshot.revision;
    edge.sightings.instance(ports, instance, isKnown ? revision : null);
  }
  reports.accepted.add();
  const accepted = known.length;
  return {
    status: 202,
    headers: new Headers(JSON_HEADERS),
    body: JSON.stringify({ accepted, ignored: entries.length - accepted }),
  };
}
