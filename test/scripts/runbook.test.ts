import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { METRIC_FAMILIES, type MetricFamily } from "../../src/core/metrics/metric-families.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const operations = read("docs/run/operations.md");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<"x" | "y" | "w" | "h", number>>;
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly expr: string; readonly datasource: { uid: string } }[];
}

interface Dashboard {
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string }[];
  };
  readonly panels: readonly Panel[];
}

const { groups } = parse(read("docs/run/alerts.yml")) as { groups: readonly { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("docs/run/grafana.json")) as Dashboard;
const { panels } = dashboard;

const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  "docs/run/alerts.yml": rules.map(({ expr }) => expr),
  "docs/run/grafana.json": panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  // Code spans with a range such as `[5m]`.
  "docs/run/operations.md": [...operations.matchAll(/`([^`\n]*\[\d+[mh]\][^`\n]*)`/g)].map(
    ([, expression = ""]) => expression,
  ),
};

/** Matches a name in PromQL that is no function, with its matchers in braces. */
const SELECTOR = /\b([a-z_]+)\b(?!\s*\()(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)(!?=~?)"([^"]*)"/g;
const GROUPING = /\bby\s*\(([^)]*)\)/g;

/** What Prometheus adds itself: a metric for each target, and labels for each series. */
const OWN_METRIC = "up";
const OWN_LABELS = new Set(["job", "instance", "le"]);

/**
 * Returns the metric family of an exported metric name. A histogram has three exported names, such
 * as `http_server_requests_seconds_bucket`.
 */
function familyOf(name: string): MetricFamily | undefined {
  const families: Readonly<Record<string, MetricFamily>> = METRIC_FAMILIES;
  const family = families[name.replace(/_(bucket|count|sum)$/, "")];
  return families[name] ?? (family?.type === "histogram" ? family : undefined);
}

/**
 * Whether a metric family has the label and the value of a PromQL matcher. A label without a list of
 * values, such as the route, may have any value.
 */
function isKnown({ labels }: MetricFamily, label: string, value: string): boolean {
  const values = labels[label];
  return OWN_LABELS.has(label) || values?.length === 0 || values?.includes(value) === true;
}

/** Returns the parts of a PromQL expression that the service does not export. */
function unknownIn(expression: string): string[] {
  const groupings = [...expression.matchAll(GROUPING)].map(([, labels = ""]) => labels);
  const selectors = expression
    .replaceAll(GROUPING, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .matchAll(SELECTOR);
  const families: MetricFamily[] = [];
  const wrong: string[] = [];
  for (const [text, name = "", matchers = ""] of selectors) {
    if (["or", "and", OWN_METRIC].includes(name)) continue;
    const family = familyOf(name);
    if (family) families.push(family);
    const isRight = [...matchers.matchAll(MATCHER)].every(
      ([, label = "", , value = ""]) => family && isKnown(family, label, value),
    );
    if (!family || !isRight) wrong.push(text);
  }
  for (const label of groupings.flatMap((labels) => labels.split(",").map((one) => one.trim())))
    if (!OWN_LABELS.has(label) && !families.some(({ labels }) => label in labels))
      wrong.push(`by (${label})`);
  return wrong;
}

describe.each(Object.entries(EXPRESSIONS))("the expressions of %s", (_, expressions) => {
  it("name only metrics, labels and label values that exist", () => {
    expect(expressions.length).toBeGreaterThan(0);
    expect(expressions.flatMap(unknownIn)).toEqual([]);
  });

  // In a table, Markdown needs a `|` escaped, and then a copy of the source is another expression.
  it("have no escape, so that their source can be copied", () => {
    expect(expressions.join("")).not.toContain("\\");
  });

  it("name only routes that exist", () => {
    const { paths } = JSON.parse(read("openapi.json")) as {
      paths: Readonly<Record<string, unknown>>;
    };
    for (const [, uri = ""] of expressions.join("\n").matchAll(/uri="([^"]*)"/g))
      expect(paths).toHaveProperty([uri]);
  });
});

describe("the check of expressions", () => {
  it("finds a metric, a label, a value and a grouping that do not exist", () => {
    expect(unknownIn("sum(rate(no_total[5m]))")).toEqual(["no_total"]);
    expect(unknownIn('rate(cache_gets_total{result="gone"}[5m])')).toHaveLength(1);
    expect(unknownIn('rate(cache_gets_total{outcome="hit"}[5m])')).toHaveLength(1);
    expect(unknownIn("sum by (kind) (rate(cache_gets_total[5m]))")).toEqual(["by (kind)"]);
    expect(unknownIn("rate(cache_gets_total_bucket[5m])")).toEqual(["cache_gets_total_bucket"]);
  });
});

describe("docs/run/alerts.yml", () => {
  const table = operations.slice(
    operations.indexOf("### Alerts"),
    operations.indexOf("### Incidents"),
  );
  const rows = [...table.matchAll(/^\| ([\w -]+?) +\| (critical|warning) +\|/gm)].map(
    ([, name = "", severity = ""]) => ({ name, severity }),
  );

  it("has the alerts and severities of the table in docs/run/operations.md", () => {
    const alertOf = (name: string) =>
      `FeatureFlags${name.replaceAll(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
    expect(rules.map(({ alert, labels }) => [alert, labels.severity])).toEqual(
      rows.map(({ name, severity }) => [alertOf(name), severity]),
    );
  });

  it("names an incident of docs/run/operations.md for each alert, and a time until it fires", () => {
    const incidents = operations.slice(operations.indexOf("### Incidents"));
    const headings = [...incidents.matchAll(/^\*\*(.*)\.\*\*/gm)].flatMap(([, titles = ""]) =>
      titles.toLowerCase().split(", "),
    );
    for (const [at, rule] of rules.entries()) {
      const { name = "" } = rows[at] ?? {};
      expect(rule.for).toMatch(/^\d+m$/);
      expect(rule.annotations.runbook).toBe(`docs/run/operations.md, Incidents: ${name}`);
      expect(headings).toContain(name.toLowerCase());
    }
  });
});

describe("docs/run/grafana.json", () => {
  it("takes its data source from a variable", () => {
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: "datasource", type: "datasource", query: "prometheus" }),
    );
    const uids = panels.flatMap(({ datasource, targets }) => [
      datasource.uid,
      ...targets.map((target) => target.datasource.uid),
    ]);
    expect(new Set(uids)).toEqual(new Set(["${datasource}"]));
  });

  it("has panels with different ids that do not overlap", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  });
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

describe.skipIf(!hasPromtool)("promtool, which the Debian package `prometheus` has", () => {
  /** Returns what `promtool check rules` prints, or undefined if it finds no mistake. */
  function mistakesOf(file: string): string | undefined {
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", file], {
      encoding: "utf8",
    });
    return status === 0 ? undefined : `${stdout}${stderr}`;
  }

  it("accepts docs/run/alerts.yml", () => {
    expect(mistakesOf(path.join(ROOT, "docs/run/alerts.yml"))).toBeUndefined();
  });

  it("accepts the expressions of docs/run/grafana.json", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-rules-"));
    const file = path.join(folder, "rules.yml");
    const recorded = (EXPRESSIONS["docs/run/grafana.json"] ?? []).map((expression, at) => ({
      record: `panel:${at}`,
      expr: expression.replaceAll("$__rate_interval", "5m"),
    }));
    // JSON is YAML, too.
    writeFileSync(file, JSON.stringify({ groups: [{ name: "panels", rules: recorded }] }));
    expect(mistakesOf(file)).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
});

describe("the table of metrics in docs/run/operations.md", () => {
  it("lists every metric", () => {
    const missing = Object.keys(METRIC_FAMILIES).filter(
      (name) => !operations.includes(`| \`${name}\` `),
    );
    expect(missing).toEqual([]);
  });

  it("lists only metrics that exist", () => {
    const listed = [...operations.matchAll(/^\| `([a-z]+(?:_[a-z]+)+)` /gm)].map(
      ([, name = ""]) => name,
    );
    expect(listed.filter((name) => !familyOf(name))).toEqual([]);
    expect(listed.length).toBeGreaterThan(10);
  });
});
