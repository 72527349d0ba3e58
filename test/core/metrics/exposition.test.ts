import { describe, expect, it } from "vitest";
import { exposition, EXPOSITION_TYPE } from "../../../src/core/metrics/exposition.ts";
import { METRIC_FAMILIES, type MetricFamily } from "../../../src/core/metrics/metric-families.ts";
import { emptyTotals, sumSamples } from "../../../src/core/metrics/totals.ts";
import { sampleKey, MetricsRegistry } from "../../../src/core/metrics/registry.ts";
import { readExposition } from "../../worker/support/exposition.ts";

const linesOf = (text: string, name: string) =>
  text.split("\n").filter((line) => line.startsWith(name));
const exported = (metrics: MetricsRegistry) =>
  exposition(sumSamples([metrics.take(), metrics.gauges()]));
const families: [string, MetricFamily][] = Object.entries(METRIC_FAMILIES);

describe("the Prometheus exposition", () => {
  it("has the content type of text format 0.0.4", () => {
    expect(EXPOSITION_TYPE).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("has the HELP and TYPE line of every metric family, even when nothing was counted", () => {
    const { types } = readExposition(exposition(emptyTotals().counts));
    expect([...types]).toEqual(families.map(([name, { type }]) => [name, type]));
  });

  it("has a series with the value 0 for each combination of labels that is known in advance", () => {
    const text = exposition(new Map());
    expect(linesOf(text, "cache_gets_total")).toEqual([
      'cache_gets_total{cache="edge-store",result="hit"} 0',
      'cache_gets_total{cache="edge-store",result="miss"} 0',
      'cache_gets_total{cache="keys",result="hit"} 0',
      'cache_gets_total{cache="keys",result="miss"} 0',
      'cache_gets_total{cache="rules",result="hit"} 0',
      'cache_gets_total{cache="rules",result="miss"} 0',
    ]);
    expect(linesOf(text, "http_server_requests_seconds")).toEqual([]);
    expect(linesOf(text, "db_client_query_seconds_count")).toEqual([
      "db_client_query_seconds_count 0",
    ]);
  });

  it("makes the buckets of a histogram cumulative", () => {
    const metrics = new MetricsRegistry();
    const query = metrics.histogram("db_client_query_seconds", {});
    for (const seconds of [0.001, 0.0011, 0.3, 0.3, 7]) query.observe(seconds);
    const text = exported(metrics);
    expect(linesOf(text, "db_client_query_seconds")).toEqual([
      'db_client_query_seconds_bucket{le="0.001"} 1',
      'db_client_query_seconds_bucket{le="0.0025"} 2',
      'db_client_query_seconds_bucket{le="0.005"} 2',
      'db_client_query_seconds_bucket{le="0.01"} 2',
      'db_client_query_seconds_bucket{le="0.025"} 2',
      'db_client_query_seconds_bucket{le="0.05"} 2',
      'db_client_query_seconds_bucket{le="0.1"} 2',
      'db_client_query_seconds_bucket{le="0.25"} 2',
      'db_client_query_seconds_bucket{le="0.5"} 4',
      'db_client_query_seconds_bucket{le="1"} 4',
      'db_client_query_seconds_bucket{le="2.5"} 4',
      'db_client_query_seconds_bucket{le="+Inf"} 5',
      "db_client_query_seconds_sum 7.6021",
      "db_client_query_seconds_count 5",
    ]);
    readExposition(text);
  });

  it.each([
    ["a quote", 'a"b', String.raw`a\"b`],
    ["a backslash", "a\\b", String.raw`a\\b`],
    ["a line feed", "a\nb", String.raw`a\nb`],
    ["all of them, with braces and commas", '\\"\n},', String.raw`\\\"\n},`],
  ])("escapes %s in a label value", (_, uri, escaped) => {
    const metrics = new MetricsRegistry();
    metrics
      .histogram("http_server_requests_seconds", { method: "GET", uri, status: "200" })
      .observe(0);
    const text = exported(metrics);
    expect(text).toContain(`{method="GET",uri="${escaped}",status="200",le="0.005"} 1\n`);
    readExposition(text);
  });

  it("has a help text of one line for each metric family", () => {
    for (const [, { help }] of families) expect(help).toMatch(/^[A-Z][^\n\\]+\.$/);
  });

  it("writes the value of a gauge unchanged", () => {
    const metrics = new MetricsRegistry();
    metrics.gauge("db_client_connections", { state: "active" }).add(3);
    expect(linesOf(exported(metrics), "db_client_connections")).toEqual([
      'db_client_connections{state="active"} 3',
      'db_client_connections{state="pending"} 0',
    ]);
  });

  it("omits stored samples whose metric family or labels this release does not know", () => {
    const sums = new Map([
      [sampleKey("gone_total", [], ""), 1],
      [sampleKey("cache_puts_total", ["rules", "more"], ""), 1],
    ]);
    expect(exposition(sums)).toBe(exposition(new Map()));
  });

  it("adds the counts of a removed histogram bucket to the next higher bucket", () => {
    const sums = new Map([
      [sampleKey("db_client_query_seconds", [], "0.07"), 2],
      [sampleKey("db_client_query_seconds", [], "9"), 1],
    ]);
    const { samples } = readExposition(exposition(sums));
    const bucket = (le: string) => samples.get(`db_client_query_seconds_bucket{le="${le}"}`);
    expect([bucket("0.05"), bucket("0.1"), bucket("2.5"), bucket("+Inf")]).toEqual([0, 2, 2, 3]);
  });
});

describe("the metric families", () => {
  it("have sorted buckets, and names and labels that follow Prometheus' naming rules", () => {
    for (const [name, { type, labels, buckets }] of families) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(name.endsWith("_total")).toBe(type === "counter");
      expect(name.endsWith("_seconds")).toBe(type === "histogram");
      expect(buckets !== undefined).toBe(type === "histogram");
      expect(buckets ?? []).toEqual([...(buckets ?? [])].toSorted((a, b) => a - b));
      for (const label of Object.keys(labels)) expect(label).toMatch(/^(?!le$)[a-z_]+$/);
    }
  });
});

describe("the format check that these tests use", () => {
  const described = (type: string, ...lines: string[]) =>
    ["# HELP a A.", `# TYPE a ${type}`, ...lines, ""].join("\n");

  it.each([
    ["no line feed at the end", "# HELP a A.", "does not end"],
    ["a sample of nothing", "a 1\n", "out of place"],
    ["a series twice", described("gauge", "a 1", "a 1"), "a series twice"],
    ["a family twice", described("gauge", "a 1") + described("gauge", "a 1"), "described twice"],
    ["an open quote", described("gauge", 'a{b="c} 1'), "no line of the format"],
    ["a label twice", described("gauge", 'a{b="c",b="d"} 1'), "a label twice"],
    ["no number", described("gauge", "a x"), "no line of the format"],
    ["a counter without the suffix _total", described("counter", "a 1"), "the name a"],
    [
      "buckets that decrease",
      described("histogram", 'a_bucket{le="1"} 2', 'a_bucket{le="+Inf"} 1', "a_sum 1", "a_count 1"),
      "no histogram",
    ],
    [
      "a count that is not the last bucket",
      described("histogram", 'a_bucket{le="+Inf"} 1', "a_sum 1", "a_count 2"),
      "no histogram",
    ],
    [
      "no last bucket",
      described("histogram", 'a_bucket{le="1"} 1', "a_sum 1", "a_count 1"),
      "no histogram",
    ],
    ["no buckets at all", described("histogram", "a_sum 1", "a_count 1"), "without buckets"],
  ])("rejects a metric family with %s", (_, text, why) => {
    expect(() => readExposition(text)).toThrow(why);
  });
});
