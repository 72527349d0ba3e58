import type { ClientRule, Prerequisite } from "@feature-flags/evaluation/rule";
import { areSameInAll } from "./constraints.ts";
import type { UnleashDependency } from "./feature.ts";
import { type Fault, isFault } from "./fault.ts";
import type { MappedFlag } from "./flag.ts";
import type { Code } from "./note.ts";
import { isBoolean, offVariantOf, valuesOf } from "./rules.ts";

/**
 * The most dependencies of a feature. It has those of all flags that it requires, directly or through
 * others, so long chains of prerequisites would make many.
 */
const MAX_DEPENDENCIES = 50;

/** A flag with its place among the others. */
export interface PlacedFlag {
  readonly rule: ClientRule;
  readonly mapped: MappedFlag;
  /** Undefined: the flag is off for everybody. */
  readonly dependencies: readonly UnleashDependency[] | undefined;
  /** Why the flag is off for everybody in Unleash, while it is on for some here. */
  readonly fault?: Fault;
  /** The required flag because of which fewer users have the flag on than here. */
  readonly inexactParent?: string | undefined;
}

export const helperOff = (key: string): string => `${key}~off`;
export const helperRules = (key: string): string => `${key}~rules`;

/** Whether the flag is on for nobody in Unleash. */
export const isAlwaysOff = ({ mapped, dependencies }: PlacedFlag): boolean =>
  mapped.strategies.length === 0 || dependencies === undefined;

/** Whether fewer users have the flag on in Unleash than here. */
const isInexact = (flag: PlacedFlag): boolean =>
  !flag.mapped.isComplete ||
  flag.fault !== undefined ||
  flag.inexactParent !== undefined ||
  hasNote(flag, "decimals");

const hasNote = ({ mapped }: PlacedFlag, code: Code): boolean =>
  mapped.notes.some((note) => note.code === code);

/** Whether fewer users meet a prerequisite in Unleash than here. A flag that serves its off variant is on there. */
const isMetLess = ({ enabled }: Prerequisite, parent: PlacedFlag): boolean =>
  isInexact(parent) || (enabled === false && hasNote(parent, "off-variant-served"));

/** Whether another flag can require that the flag is off: its state must be the same in all SDKs. */
const canBeRequiredOff = (parent: PlacedFlag): boolean =>
  !isInexact(parent) &&
  (parent.rule.prerequisites ?? []).length === 0 &&
  parent.mapped.holdout.length === 0 &&
  parent.mapped.strategies.every(({ constraints }) => areSameInAll(constraints));

/** The result for one prerequisite: dependencies, a fault, or "never": nobody here meets it either. */
type Outcome = readonly UnleashDependency[] | Fault | "never";

/** Returns the place of a flag. `parents`: the places of the flags that it requires. */
export function placed(
  rule: ClientRule,
  mapped: MappedFlag,
  parents: ReadonlyMap<string, PlacedFlag>,
): PlacedFlag {
  const { key, prerequisites = [] } = rule;
  const found = new Map<string, UnleashDependency>();
  const add = (dependency: UnleashDependency): void => {
    found.set(JSON.stringify(dependency), dependency);
  };
  if (mapped.holdout.length > 0) add({ feature: helperOff(key), enabled: false });
  let inexactParent: string | undefined;
  for (const prerequisite of prerequisites) {
    const parent = parents.get(prerequisite.flagKey);
    const outcome = parent ? outcomeOf(prerequisite, parent) : "never";
    if (outcome === "never") return { rule, mapped, dependencies: undefined };
    if (isFault(outcome)) return { rule, mapped, dependencies: undefined, fault: outcome };
    if (parent && isMetLess(prerequisite, parent)) inexactParent ??= parent.rule.key;
    for (const dependency of outcome) add(dependency);
  }
  if (found.size > MAX_DEPENDENCIES)
    return { rule, mapped, dependencies: undefined, fault: { code: "prerequisite-depth" } };
  return { rule, mapped, dependencies: [...found.values()], inexactParent };
}

const outcomeOf = (prerequisite: Prerequisite, parent: PlacedFlag): Outcome =>
  prerequisite.enabled === false
    ? requiredOff(prerequisite, parent)
    : requiredOn(prerequisite, parent);

function requiredOff({ flagKey, variants }: Prerequisite, parent: PlacedFlag): Outcome {
  const fault: Fault = { code: "prerequisite-off", detail: flagKey };
  if (variants !== undefined) {
    const offVariant = offVariantOf(parent.rule);
    // A boolean flag without an off variant serves `off` only if a rule does.
    if (offVariant === null && isBoolean(parent.rule)) return fault;
    const served = isBoolean(parent.rule) ? "off" : offVariant;
    if (served === null || !variants.includes(served)) return "never";
  }
  return canBeRequiredOff(parent) ? [{ feature: flagKey, enabled: false }] : fault;
}

function requiredOn({ flagKey, variants }: Prerequisite, parent: PlacedFlag): Outcome {
  if (isAlwaysOff(parent))
    return isInexact(parent) ? { code: "prerequisite", detail: flagKey } : "never";
  const { mapped, dependencies = [] } = parent;
  const accepted = acceptedVariants(parent.rule, variants);
  const served = servedVariants(parent);
  const suitable = accepted.filter((variant) => served.has(variant));
  if (suitable.length === 0)
    return isInexact(parent) ? { code: "prerequisite", detail: flagKey } : "never";
  const demanded = suitable.length < served.size ? { variants: accepted } : {};
  // The SDK for Go does not check the variants of a feature. If some users get another variant than
  // here, they could meet a prerequisite that they do not meet here.
  if (demanded.variants && (mapped.variants.length > 0 || !mapped.isChoiceExact))
    return { code: "prerequisite-variants", detail: flagKey };
  const feature = dependencies.length > 0 ? helperRules(flagKey) : flagKey;
  return [...dependencies, { feature, enabled: true, ...demanded }];
}

/** Returns the variants of which a flag that is on must serve one. */
function acceptedVariants(
  parent: ClientRule,
  variants: readonly string[] | undefined,
): readonly string[] {
  const off = isBoolean(parent) ? "off" : offVariantOf(parent);
  return Object.keys(valuesOf(parent)).filter(
    (variant) => variant !== off && (variants === undefined || variants.includes(variant)),
  );
}

/** Returns the variants that the strategies of a flag serve. */
function servedVariants({ rule, mapped }: PlacedFlag): ReadonlySet<string> {
  if (isBoolean(rule)) return new Set(["on"]);
  const lists = mapped.strategies.map(({ variants }) => variants);
  return new Set([...lists.flat(), ...mapped.variants].map(({ name }) => name));
}

/**
 * Returns the flags in an order in which each follows the flags that it requires. Flags on a cycle of
 * prerequisites, and flags that require one, are left out.
 */
export function inOrder(rules: ReadonlyMap<string, ClientRule>): readonly ClientRule[] {
  const missing = new Map<ClientRule, number>();
  const children = new Map<string, ClientRule[]>();
  for (const rule of rules.values()) {
    const parents = (rule.prerequisites ?? []).filter(({ flagKey }) => rules.has(flagKey));
    missing.set(rule, parents.length);
    for (const { flagKey } of parents) {
      const known = children.get(flagKey);
      if (known) known.push(rule);
      else children.set(flagKey, [rule]);
    }
  }
  const order = [...missing].filter(([, count]) => count === 0).map(([rule]) => rule);
  for (const { key } of order)
    for (const child of children.get(key) ?? []) {
      const count = (missing.get(child) ?? 0) - 1;
      missing.set(child, count);
      if (count === 0) order.push(child);
    }
  return order;
}
