import { compileRule, evaluateRule } from "@feature-flags/evaluation/evaluate";
import type { ClientRule, Constraint, EvaluationContext } from "@feature-flags/evaluation/rule";

/**
 * The number of different evaluation contexts: enough that the compiler cannot replace an
 * evaluation by a constant.
 */
const CONTEXTS = 4096;
const VERDICTS_PER_ROUND = 500_000;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 9;

const COUNTRIES = ["de", "fr", "it", "us", "jp"];

const contexts: readonly EvaluationContext[] = Array.from({ length: CONTEXTS }, (_, index) => ({
  targetingKey: `user-${(index * 7919).toString(36)}-${index}`,
  country: COUNTRIES[index % COUNTRIES.length],
  age: 18 + (index % 60),
  appVersion: `2.${index % 12}.${index % 7}`,
}));

const inCountry: Constraint = {
  field: "country",
  operator: "in",
  values: COUNTRIES,
  contextType: "string",
};
const adult: Constraint = { field: "age", operator: "gte", values: ["21"], contextType: "number" };
const recent: Constraint = {
  field: "appVersion",
  operator: "gte",
  values: ["2.3.0"],
  contextType: "semver",
};

function rule(
  activation: Partial<ClientRule["activation"]>,
  more: Partial<ClientRule> = {},
): ClientRule {
  return {
    key: "checkout.new-flow",
    name: "New checkout",
    enabled: true,
    activation: { rollOut: 50, constraints: [], segments: [], ...activation },
    ...more,
  };
}

const elsewhere: Constraint = { ...inCountry, values: ["at", "ch"] };
const activation = { rollOut: 100, constraints: [], segments: [] };

/**
 * A flag whose first two rules decide for few contexts, so that most evaluations try all three. The
 * last one is a split by weights.
 */
const threeRules: ClientRule = rule(
  {
    constraints: [inCountry],
    slots: [
      [0, 20_000, "a"],
      [20_000, 50_000, "b"],
      [50_000, 100_000, "c"],
    ],
  },
  {
    type: "json",
    variants: { a: { columns: 1 }, b: { columns: 2 }, c: { columns: 3 } },
    rules: [
      { ...activation, id: "first", constraints: [elsewhere], serve: "a" },
      { ...activation, id: "second", rollOut: 10, constraints: [inCountry], serve: "b" },
    ],
  },
);

const cases: readonly { readonly name: string; readonly rule: ClientRule }[] = [
  { name: "roll-out", rule: rule({}) },
  { name: "roll-out and one `in` constraint", rule: rule({ constraints: [inCountry] }) },
  {
    name: "segment of three constraints (in, gte number, gte semver)",
    rule: rule({
      rollOut: 100,
      segments: [{ name: "early", constraints: [inCountry, adult, recent] }],
    }),
  },
  { name: "three rules and a weighted split", rule: threeRules },
];

/** Returns the CPU time of this thread in microseconds. Other processes do not affect it. */
function cpuMicros(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function nsPerVerdict(clientRule: ClientRule): number {
  const compiled = compileRule(clientRule);
  let on = 0;
  const round = (): number => {
    const start = cpuMicros();
    for (let i = 0; i < VERDICTS_PER_ROUND; i++)
      on += evaluateRule(compiled, contexts[i % CONTEXTS] ?? {}).enabled ? 1 : 0;
    return ((cpuMicros() - start) * 1e3) / VERDICTS_PER_ROUND;
  };
  const times = Array.from({ length: WARM_UP_ROUNDS + ROUNDS }, round).slice(WARM_UP_ROUNDS);
  if (on === 0) throw new Error("every verdict was off: the benchmark measures the wrong path");
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/**
 * Measures the evaluator in plain Node. Returns the CPU time per evaluation in nanoseconds, as the
 * median of several rounds.
 */
export function benchEvaluator(): { name: string; nsPerVerdict: number }[] {
  return cases.map((entry) => ({ name: entry.name, nsPerVerdict: nsPerVerdict(entry.rule) }));
}

if (import.meta.main)
  console.table(
    benchEvaluator().map((row) => ({ name: row.name, ns: Math.round(row.nsPerVerdict) })),
  );
