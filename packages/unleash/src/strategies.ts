import type { Constraint } from "@feature-flags/evaluation/rule";
import { type Alternatives, alternativesOf } from "./constraints.ts";
import type { UnleashStrategy, UnleashVariant } from "./feature.ts";
import { type Fault, isFault } from "./fault.ts";
import { groupIdOf, stickinessOf } from "./fields.ts";
import { constraintsLength, sizeFault } from "./size.ts";

/** The most strategies of a flag if a rule needs several. The limit of an Unleash service. */
const MAX_STRATEGIES = 30;

const TOO_MANY: Fault = { code: "strategies" };

/** The conditions of a rule without any. */
export const NO_CONDITIONS: Alternatives = [[]];

/** Returns the alternatives in which one of both lists holds each. */
export function both(one: Alternatives, other: Alternatives): Alternatives | Fault {
  if (one === NO_CONDITIONS) return other;
  if (other === NO_CONDITIONS) return one;
  const count = one.length * other.length;
  if (count > Math.max(MAX_STRATEGIES, one.length, other.length)) return TOO_MANY;
  const constraints = one.flat().length * other.length + other.flat().length * one.length;
  const fault = sizeFault(constraintsLength(constraints));
  if (fault) return fault;
  return one.flatMap((first) => other.map((second) => [...first, ...second]));
}

/** Returns the alternatives in which all constraints hold. */
export function allOf(conditions: readonly Constraint[]): Alternatives | Fault {
  let all: Alternatives = NO_CONDITIONS;
  for (const condition of conditions) {
    const alternatives = alternativesOf(condition);
    if (isFault(alternatives)) return alternatives;
    const next = both(all, alternatives);
    if (isFault(next)) return next;
    all = next;
  }
  return all;
}

/** Returns the alternatives in which one of the constraints does not hold. */
export function noneOf(conditions: readonly Constraint[]): Alternatives | Fault {
  const all: Alternatives[number][] = [];
  for (const condition of conditions) {
    const opposite = { ...condition, inverted: condition.inverted !== true };
    const alternatives = alternativesOf(opposite);
    if (isFault(alternatives))
      return alternatives.code === "operator" ? { code: "off-condition" } : alternatives;
    all.push(...alternatives);
  }
  return all;
}

/** What a strategy does besides its constraints. */
export interface Effect {
  /** A whole number, 1 to 100. */
  readonly percentage: number;
  /** The field that is hashed. */
  readonly stickiness: string | undefined;
  readonly hashKey: string;
  readonly variants?: ((stickiness: string) => readonly UnleashVariant[]) | undefined;
}

/** Returns a strategy for each alternative. `count`: how many strategies the flag has already. */
export function strategiesOf(
  alternatives: Alternatives,
  { percentage, variants, ...hashed }: Effect,
  count: number,
): readonly UnleashStrategy[] | Fault {
  if (alternatives.length > 1 && count + alternatives.length > MAX_STRATEGIES) return TOO_MANY;
  const stickiness = stickinessOf(hashed.stickiness);
  if (typeof stickiness === "object") return stickiness;
  const groupId = groupIdOf(hashed.hashKey);
  if (typeof groupId === "object") return groupId;
  const parameters = { rollout: String(percentage), stickiness, groupId };
  const served = variants?.(stickiness) ?? [];
  return alternatives.map((constraints) => ({
    name: "flexibleRollout",
    parameters,
    constraints,
    variants: served,
  }));
}
