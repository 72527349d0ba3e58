import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { METRIC_FAMILIES, type MetricFamily } from "../../src/core/metrics/metric-families.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
const runbook = readme.slice(readme.indexOf("## Runbook"), readme.indexOf("## Work on it"));
const manifest = readFileSync(path.join(ROOT, "package.json"), "utf8");
const { scripts } = JSON.parse(manifest) as { scripts: Readonly<Record<string, string>> };

/** A name, and in braces its labels, before a range such as `[5m]`. */
const SELECTOR = /([a-z_]+)(?:\{([^}]*)\})?\[\d+[mh]\]/g;
const MATCHER = /(\w+)(=~?)"([^"]*)"/g;

/** `http_server_requests_seconds_bucket`: a histogram is told by three names. */
function familyOf(name: string): MetricFamily | undefined {
  const families: Readonly<Record<string, MetricFamily>> = METRIC_FAMILIES;
  return families[name] ?? families[name.replace(/_(bucket|count|sum)$/, "")];
}

/** Without values there are too many to name: routes, statuses. */
function isKnown(
  { labels }: MetricFamily,
  [, label = "", operator, value = ""]: readonly string[],
) {
  const values = labels[label];
  return values?.length === 0 || (operator === "=" && values?.includes(value));
}

describe("The runbook", () => {
  const selectors = [...runbook.matchAll(SELECTOR)];

  it("asks for metrics that there are, by labels and values that they have", () => {
    expect(selectors.length).toBeGreaterThan(12);
    const wrong = selectors.filter(([, name = "", labels = ""]) => {
      const family = familyOf(name);
      const matchers = [...labels.matchAll(MATCHER)];
      return !family || !matchers.every((matcher) => isKnown(family, matcher));
    });
    expect(wrong.map(([text]) => text)).toEqual([]);
  });

  it("speaks of routes that there are", () => {
    const description = readFileSync(path.join(ROOT, "openapi.json"), "utf8");
    const { paths } = JSON.parse(description) as { paths: Readonly<Record<string, unknown>> };
    for (const [, uri = ""] of runbook.matchAll(/uri="([^"]*)"/g))
      expect(paths).toHaveProperty([uri]);
  });
});

describe("The README", () => {
  it("names commands that there are", () => {
    for (const [, name = ""] of readme.matchAll(/npm run ([a-z-]+)/g))
      expect(scripts).toHaveProperty([name]);
  });

  it("names files that there are", () => {
    const files = readme.matchAll(
      /(?:^|[\s`(])((?:scripts|test|src|pages)\/[\w./-]+\.(?:ts|sql|mjs))/gm,
    );
    const missing = [...files].filter(([, file = ""]) => !existsSync(path.join(ROOT, file)));
    expect(missing.map(([, file]) => file)).toEqual([]);
  });
});
