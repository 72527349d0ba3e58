import { describe, expect, it } from "vitest";
import { jsonBytes } from "../../../src/core/lib/chunks.ts";
import {
  type InstanceMark,
  MAX_NAME,
  type UsageReport,
} from "../../../src/core/usage/message-types.ts";
import { reportMessages, lastSeenMessages } from "../../../src/core/usage/split-messages.ts";

/**
 * The maximum size of a queue message, bytes. Cloudflare Queues allows 128 KB, including about 100
 * bytes of metadata: developers.cloudflare.com/queues/platform/limits.
 */
const MESSAGE_LIMIT = 127_000;

const list = <T>(length: number, item: (n: number) => T) =>
  Array.from({ length }, (_, n) => item(n));

function numbered() {
  let ids = 0;
  return () => `id-${(ids += 1)}`;
}

const reportOf = (evaluations: UsageReport["evaluations"]) => ({
  environmentId: 1,
  at: 5,
  instance: { appName: "app", instanceId: "one" },
  evaluations,
});

describe("a usage report", () => {
  it("of one flag is one queue message", () => {
    const report = reportOf([["a", 1, 2]]);
    expect(reportMessages(report, numbered())).toEqual([{ kind: "report", id: "id-1", ...report }]);
  });

  it("without evaluations is not sent at all", () => {
    expect(reportMessages(reportOf([]), numbered())).toEqual([]);
  });

  it("of 10,000 flags is split into queue messages within the size limit, each with its own id", () => {
    const evaluations = list(10_000, (n) => [`${n}-${"k".repeat(80)}`, n, 1_000_000_000] as const);
    const messages = reportMessages(reportOf(evaluations), numbered());
    expect(messages.flatMap((message) => message.evaluations)).toEqual(evaluations);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    expect(Math.max(...messages.map(jsonBytes))).toBeLessThan(MESSAGE_LIMIT);
    expect(messages.length).toBe(Math.ceil(jsonBytes(evaluations) / 100_000));
  });
});

it("a usage report of 200 flags with 50 variants each is split into queue messages within the size limit", () => {
  const variants = Object.fromEntries(list(50, (n) => [`${n}`.padEnd(64, "v"), 1_000_000_000]));
  const evaluations = list(200, (n) => [`${n}`.padEnd(128, "k"), 1, 1, variants] as const);
  const messages = reportMessages(reportOf(evaluations), numbered());
  expect(messages.flatMap((message) => message.evaluations)).toEqual(evaluations);
  expect(Math.max(...messages.map(jsonBytes))).toBeLessThan(MESSAGE_LIMIT);
});

describe("last-seen times", () => {
  const instance = (n: number, name: string): InstanceMark => ({
    environmentId: 1,
    appName: name,
    instanceId: `${n}`,
    sdkVersion: name,
    revision: 7,
    at: 5,
  });

  it("of one API key and one SDK instance are sent in one queue message", () => {
    const instances = [instance(1, "app")];
    const message = { kind: "sightings", keys: [[1, 5]], instances };
    expect(lastSeenMessages([[1, 5]], instances)).toEqual([message]);
  });

  it("of 10,000 API keys and 3,000 SDK instances are split into queue messages within the size limit, even if names are control characters", () => {
    const keys = list(10_000, (n) => [n, 1_790_000_000_000] as const);
    const instances = list(3_000, (n) => instance(n, "\u0001".repeat(MAX_NAME)));
    const messages = lastSeenMessages(keys, instances);
    expect(messages.flatMap((message) => message.keys)).toEqual(keys);
    expect(messages.flatMap((message) => message.instances)).toEqual(instances);
    expect(Math.max(...messages.map(jsonBytes))).toBeLessThan(MESSAGE_LIMIT);
  });
});
