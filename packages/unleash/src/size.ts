import type { Fault } from "./fault.ts";
import type { UnleashConstraint, UnleashStrategy, UnleashVariant } from "./feature.ts";

/** The most bytes of a flag with its helpers as JSON. A text has at least as many bytes as characters. */
export const MAX_FLAG_BYTES = 1_000_000;

/** How many characters the JSON of a strategy, a constraint and a variant has at least, without texts. */
const STRATEGY = 110;
const CONSTRAINT = 80;
const VARIANT = 70;
/** The quotes of a value, and the comma after it. */
const SEPARATORS = 3;

/** Returns why a flag is off if it has so many bytes. `bytes`: its size, or where a count has stopped. */
export const sizeFault = (bytes: number): Fault | undefined =>
  bytes > MAX_FLAG_BYTES ? { code: "size", detail: String(bytes) } : undefined;

/** Returns how many characters so many constraints have at least. */
export const constraintsLength = (count: number): number => count * CONSTRAINT;

const constraintLength = ({ contextName, value = "", values = [] }: UnleashConstraint): number =>
  values.reduce(
    (length, one) => length + one.length + SEPARATORS,
    CONSTRAINT + contextName.length + value.length,
  );

/** Returns about how many characters variants have as JSON, and never more than they have. */
export const variantsLength = (variants: readonly UnleashVariant[]): number =>
  variants.reduce(
    (length, { name, stickiness, payload }) =>
      length + VARIANT + name.length + stickiness.length + payload.value.length,
    0,
  );

/** Returns about how many characters a strategy has as JSON, and never more than it has. */
export const strategyLength = ({ constraints, variants }: UnleashStrategy): number =>
  constraints.reduce(
    (length, one) => length + constraintLength(one),
    STRATEGY + variantsLength(variants),
  );
