import { expect } from "vitest";
import { spellings } from "../../../src/core/logging/mask.ts";
import type { CallOptions } from "./client.ts";
import { consoleDuring, type Output } from "./logs.ts";
import { OPTIONAL, type Secrets } from "./secrets.ts";
import { callWith } from "./call-with.ts";

/** Settings with all optional secrets, and with the log level DEBUG, which writes every line. */
export const LOUD = { ...OPTIONAL, LOGGING_LEVEL_APP: "DEBUG", LOGGING_LEVEL_ROOT: "DEBUG" };

export type Call = readonly [method: string, path: string, options: CallOptions];

/**
 * Expects that no log line contains a secret, neither plain nor in JSON nor URL-encoded, and that
 * every log line is a valid record. Returns the trace ids of the records.
 */
export function expectNoSecrets(output: Output, secrets: Secrets): string[] {
  const text = output.lines.join("\n");
  for (const form of spellings(Object.values(secrets))) expect(text).not.toContain(form);
  for (const record of output.records)
    expect(record).toMatchObject({
      "@timestamp": expect.stringMatching(/^\d{4}-.*Z$/),
      level: expect.stringMatching(/^(?:DEBUG|INFO|WARN|ERROR)$/),
      logger: expect.stringMatching(/^app\.\w+$/),
      message: expect.stringMatching(/./),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      service: "feature-flags",
    });
  return output.records.map((record) => record.traceId);
}

/**
 * Sends the requests. Expects that each request is logged, and that no log line contains a secret.
 * Returns the statuses of the responses and the levels of the log lines.
 */
export async function expectCallsLeakNothing(
  secrets: Secrets,
  calls: readonly Call[],
  replaced: Partial<Env> = {},
) {
  const statuses = new Set<number>();
  const traceIds: (string | null)[] = [];
  const output = await consoleDuring(async () => {
    for (const [method, path, options] of calls) {
      const answer = await callWith({ ...LOUD, ...replaced }, method, path, options);
      statuses.add(answer.status);
      traceIds.push(answer.headers.get("X-B3-TraceId"));
    }
  });
  expect(expectNoSecrets(output, secrets)).toEqual(expect.arrayContaining(traceIds));
  const levels = new Set(output.records.map((record): string => record.level));
  return { statuses: [...statuses].toSorted((x, y) => x - y), levels };
}
