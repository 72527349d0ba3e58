import type { Constraint, Strategy } from "../api/types.ts";

/** Returns the constraints of a strategy and of its ordered rules. */
export const constraintsOf = (strategy: Pick<Strategy, "constraints" | "rules">): Constraint[] =>
  [strategy, ...strategy.rules].flatMap(({ constraints }) => constraints);
