import { describe, expect, it } from "vitest";
import { sampleKey } from "../../../src/core/metrics/registry.ts";
import {
  BILLED_COUNTERS,
  COUNTER_NAMES,
  countersOf,
  increaseOf,
} from "../../../src/core/platform-usage/counters.ts";
import { METRIC_FAMILIES } from "../../../src/core/metrics/metric-families.ts";

const sample = (family: string, labels: readonly string[], n: number) =>
  [sampleKey(family, labels, ""), n] as const;

describe("countersOf", () => {
  it("adds up the time series of a metric, and takes only those with the label", () => {
    const totals = new Map([
      sample("worker_invocations_total", ["fetch"], 10),
      sample("worker_invocations_total", ["queue"], 2),
      sample("db_client_rows_total", ["read"], 70),
      sample("db_client_rows_total", ["written"], 7),
      sample("cache_gets_total", ["edge-store", "hit"], 3),
      sample("cache_gets_total", ["edge-store", "miss"], 4),
      sample("cache_gets_total", ["rules", "hit"], 1_000),
      sample("http_server_requests_seconds", ["GET", "/", "200"], 1_000),
      sample("a_metric_of_another_release", [], 1_000),
    ]);
    expect(countersOf(totals)).toEqual({
      workerRequests: 12,
      d1RowsRead: 70,
      d1RowsWritten: 7,
      kvReads: 7,
    });
  });

  it.each(COUNTER_NAMES)("finds %s in a counter, by a value of its first label", (name) => {
    const counter: { family: keyof typeof METRIC_FAMILIES; label?: string } = BILLED_COUNTERS[name];
    const { type, labels } = METRIC_FAMILIES[counter.family];
    const [values = []] = Object.values<readonly string[]>(labels);
    expect(type).toBe("counter");
    expect(values).toContain(counter.label ?? values[0]);
  });
});

describe("increaseOf", () => {
  it("returns what each object has counted since the last reading", () => {
    const before = [{ kvReads: 5 }, { kvReads: 10, kvWrites: 1 }];
    const now = [{ kvReads: 8 }, { kvReads: 10, kvWrites: 3 }];
    expect(increaseOf(before, now)).toMatchObject({ kvReads: 3, kvWrites: 2, kvDeletes: 0 });
  });

  it("counts all of an object that is new or was reset, even if the others have grown", () => {
    const before = [{ kvReads: 500 }, { kvReads: 10 }];
    const now = [{ kvReads: 4 }, { kvReads: 12 }, { kvReads: 30 }];
    expect(increaseOf(before, now)).toMatchObject({ kvReads: 4 + 2 + 30 });
  });

  it("counts nothing for an object that no longer exists", () => {
    expect(increaseOf([{ kvReads: 1 }, { kvReads: 9 }], [{ kvReads: 1 }])).toMatchObject({
      kvReads: 0,
    });
  });
});
