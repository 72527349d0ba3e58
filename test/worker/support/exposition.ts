/**
 * A strict parser of the Prometheus text format
 * (prometheus.io/docs/instrumenting/exposition_formats). Published parsers accept invalid text.
 */

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP = new RegExp(String.raw`^# HELP (${NAME}) ((?:[^\\]|\\[\\n])+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`);
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`;
const NUMBER = String.raw`-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|\+Inf|-Inf|NaN`;
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (${NUMBER})$`);
const ONE_LABEL = new RegExp(LABEL, "g");

export interface Scrape {
  readonly types: ReadonlyMap<string, string>;
  /** The value of each sample, by name and labels: `cache_puts_total{cache="rules"}`. */
  readonly samples: ReadonlyMap<string, number>;
}

/**
 * Parses a metrics export.
 * Throws: Error when the text is not valid Prometheus text format.
 */
export function readExposition(text: string): Scrape {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  let described = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const wrong = (why: string) => new Error(`${why}: ${line}`);
    const [, helped] = HELP.exec(line) ?? [];
    const [, typed, type] = TYPE.exec(line) ?? [];
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
    if (helped !== undefined) {
      if (types.has(helped)) throw wrong("described twice");
      described = helped;
    } else if (typed !== undefined && type !== undefined) {
      if (typed !== described || types.has(typed)) throw wrong("a type out of place");
      types.set(typed, type);
    } else if (name !== undefined) {
      if (!namesOf(described, types.get(described)).includes(name)) throw wrong("out of place");
      const names = (labels.match(ONE_LABEL) ?? []).map((label) => label.split("=", 1)[0]);
      if (new Set(names).size < names.length) throw wrong("a label twice");
      const key = labels === "" ? name : `${name}{${labels}}`;
      if (samples.has(key)) throw wrong("a series twice");
      samples.set(key, Number(value));
    } else throw wrong("no line of the format");
  }
  assertConsistent(types, samples);
  return { types, samples };
}

const namesOf = (family: string, type: string | undefined): readonly string[] =>
  type === "histogram" ? [`${family}_bucket`, `${family}_sum`, `${family}_count`] : [family];

const LE = /,?le="([^"]*)"\}$/;

function assertConsistent(types: Scrape["types"], samples: Scrape["samples"]): void {
  for (const [family, type] of types) {
    if ((type === "counter") !== family.endsWith("_total")) throw new Error(`the name ${family}`);
    const own = [...samples].filter(([key]) => namesOf(family, type).includes(nameOf(key)));
    if (type !== "gauge" && own.some(([, n]) => n < 0)) throw new Error(`${family} below zero`);
    const buckets = own.filter(([key]) => nameOf(key) === `${family}_bucket`);
    if (type === "histogram") assertHistograms(family, buckets, samples);
  }
}

const nameOf = (key: string) => key.split("{", 1)[0] ?? "";

function assertHistograms(
  family: string,
  buckets: readonly (readonly [string, number])[],
  samples: Scrape["samples"],
): void {
  const bySeries = Map.groupBy(buckets, ([key]) =>
    key.replace(LE, "}").replace("_bucket{", "{").replace("{}", ""),
  );
  for (const [series, of] of bySeries) {
    const bounds = of.map(([key]) => Number((LE.exec(key)?.[1] ?? "").replace("+Inf", "Infinity")));
    const counts = of.map(([, count]) => count);
    const rise = (list: readonly number[]) =>
      list.every((n, at) => at === 0 || n >= (list[at - 1] ?? 0));
    const whole = (part: string) => samples.get(series.replace(family, `${family}_${part}`));
    const fits =
      bounds.at(-1) === Infinity &&
      new Set(bounds).size === bounds.length &&
      rise(bounds) &&
      rise(counts) &&
      counts.at(-1) === whole("count") &&
      whole("sum") !== undefined;
    if (!fits) throw new Error(`no histogram: ${series}`);
  }
  const count = [...samples.keys()].filter((key) => nameOf(key) === `${family}_count`).length;
  if (count !== bySeries.size) throw new Error(`a histogram without buckets: ${family}`);
}
