import { z } from "zod";
import { changedFields, type Content } from "../../core/audit/changed-fields.ts";
import type { Operation, StrategyTarget } from "../../changes/plan/operation.ts";
import { recordedStrategy } from "../../changes/recorded-strategy.ts";
import { storedClone, storedRamp } from "./stored-input.ts";
import type { Target } from "../../model/change-requests/operations.ts";

/** An ordered rule, or the fields of a strategy, as the audit trail has them. */
type Activation = Content &
  Pick<z.infer<typeof recordedStrategy>, "percentage" | "exactPercentage" | "serve">;

const changedRules = z.object({ rules: z.array(z.looseObject({ id: z.string() })).optional() });

/**
 * Returns the content of a target as a rebase compares it. A strategy has its exact percentage as
 * `percentage`, and no slots, because they follow from the weights. A ramp starts from the strategy as
 * it is, so only the ramp itself counts.
 */
export function mergeable({ kind, environmentId }: Target, content: Content): Content {
  if (environmentId === null) return content;
  if (kind === "ramp.start") return { ramp: content["ramp"] };
  const strategy = recordedStrategy.parse(content);
  return { ...mergeableActivation(strategy), rules: strategy.rules.map(mergeableActivation) };
}

const mergeableActivation = ({ percentage, exactPercentage, serve, ...rest }: Activation) => ({
  ...rest,
  percentage: exactPercentage ?? percentage,
  serve: "weights" in serve ? { weights: serve.weights } : serve,
});

/** Returns the input of `strategy.set` that changes a strategy from one content to another. */
export function strategyChange(
  target: Target,
  { base, after }: { readonly base: Content; readonly after: Content },
): Content {
  const [before, wanted] = [mergeable(target, base), mergeable(target, after)];
  return strategyInput(changedFields({ before, after: wanted })?.after ?? {}, base);
}

/**
 * Returns the operation that makes a change in a content as it is now; none for a change that is
 * empty. `change` has fields of a `mergeable` content.
 */
export function toOperations(target: Target, change: Content, now: Content): Operation[] {
  if (Object.keys(change).length === 0) return [];
  const { kind, targetId } = target;
  switch (kind) {
    case "strategy.set":
      return [{ kind, target: strategyTarget(target), input: strategyInput(change, now) }];
    case "ramp.start":
      return [{ kind, target: strategyTarget(target), input: storedRamp.parse(change["ramp"]) }];
    case "flag.update":
      return [{ kind, target: { flagId: targetId }, input: change }];
    case "flag.clone":
      return [{ kind, target: { flagId: targetId }, input: storedClone.parse(change) }];
    case "segment.update":
      return [{ kind, target: { id: targetId }, input: change }];
    default:
      return [{ kind, target: { flagId: targetId }, input: undefined }];
  }
}

function strategyTarget({ kind, targetId, environmentId }: Target): StrategyTarget {
  if (environmentId === null) throw new Error(`${kind} must have an environment`);
  return { flag: { flagId: targetId }, environmentId };
}

function strategyInput(change: Content, now: Content) {
  const { rules } = changedRules.parse(change);
  const known = new Set(recordedStrategy.parse(now).rules.map(({ id }) => id));
  return {
    ...withExactPercentage(change),
    ...(rules && {
      rules: rules.map((rule) =>
        Object.assign(withExactPercentage(rule), {
          // The server gives a new rule its id.
          id: known.has(rule.id) ? rule.id : undefined,
        }),
      ),
    }),
  };
}

const withExactPercentage = ({ percentage, ...rest }: Content): Content => ({
  ...rest,
  ...(percentage !== undefined && { exactPercentage: percentage }),
});
