import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { METRIC_FAMILIES, type MetricFamily } from "../../src/core/metrics/metric-families.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const operations = readFileSync(path.join(ROOT, "docs/operations.md"), "utf8");
const runbook = operations.slice(operations.indexOf("## Runbook"));

/** Matches a PromQL selector: a metric name, its labels in braces, and a range such as `[5m]`. */
const SELECTOR = /([a-z_]+)(?:\{([^}]*)\})?\[\d+[mh]\]/g;
const MATCHER = /(\w+)!?=~?"([^"]*)"/g;

/**
 * Returns the metric family of an exported metric name. A histogram has three exported names, such
 * as `http_server_requests_seconds_bucket`.
 */
function familyOf(name: string): MetricFamily | undefined {
  const families: Readonly<Record<string, MetricFamily>> = METRIC_FAMILIES;
  return families[name] ?? families[name.replace(/_(bucket|count|sum)$/, "")];
}

/**
 * Whether a metric family has the label and the value of a PromQL matcher. A label without a list of
 * values, such as the route, may have any value.
 */
function isKnown({ labels }: MetricFamily, [, label = "", value = ""]: readonly string[]) {
  const values = labels[label];
  return values?.length === 0 || values?.includes(value);
}

describe("the alerts of the runbook in docs/operations.md", () => {
  const selectors = [...runbook.matchAll(SELECTOR)];

  it("name only metrics, labels and label values that exist", () => {
    expect(selectors.length).toBeGreaterThan(12);
    const wrong = selectors.filter(([, name = "", labels = ""]) => {
      const family = familyOf(name);
      const matchers = [...labels.matchAll(MATCHER)];
      return !family || !matchers.every((matcher) => isKnown(family, matcher));
    });
    expect(wrong.map(([text]) => text)).toEqual([]);
  });

  // In a table, Markdown needs a `|` escaped, and then a copy of the source is another expression.
  it("have no escape, so that their source can be copied", () => {
    expect(runbook).not.toContain(String.raw`\|`);
  });

  it("name only routes that exist", () => {
    const description = readFileSync(path.join(ROOT, "openapi.json"), "utf8");
    const { paths } = JSON.parse(description) as { paths: Readonly<Record<string, unknown>> };
    for (const [, uri = ""] of runbook.matchAll(/uri="([^"]*)"/g))
      expect(paths).toHaveProperty([uri]);
  });
});

describe("the table of metrics in docs/operations.md", () => {
  it("lists every metric", () => {
    const missing = Object.keys(METRIC_FAMILIES).filter(
      (name) => !operations.includes(`| \`${name}\` `),
    );
    expect(missing).toEqual([]);
  });
});
