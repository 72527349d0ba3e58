import { isSame } from "../audit/changed-fields.ts";
import { type ChangeOptions, mergeStrategy } from "./change.ts";
import type { ServeView } from "./serve.ts";
import type { StrategyContent } from "./strategy.ts";
import { shownStrategy } from "./view.ts";

interface CopyOptions extends ChangeOptions {
  /**
   * Whether the copy also takes the state (on or off) of the source. Otherwise the target keeps its
   * state.
   */
  readonly withState: boolean;
}

/**
 * Returns the strategy `target` with the rules of `source`, a strategy of the same flag in another
 * environment. A weighted split of the target moves as few users as possible. Copied ordered rules
 * get new ids. Returns `target` itself if the copy changes nothing.
 */
export function copiedStrategy(
  source: StrategyContent,
  target: StrategyContent,
  options: CopyOptions,
): StrategyContent {
  const { variants, withState } = options;
  const { enabled, rules, ...activation } = readable(source, variants);
  const [wanted, current] = [source, target].map((content) => comparable(content, variants));
  const change = {
    ...activation,
    ...(!isSame(wanted?.rules, current?.rules) && { rules: rules.map(asNewRule) }),
    ...(withState && { enabled }),
  };
  const copy = mergeStrategy(target, change, options);
  return isSame(comparable(copy, variants), current) ? target : copy;
}

const readable = (content: StrategyContent, variants: readonly string[]) =>
  shownStrategy(content, variants, (percentage) => ({ percentage }));

function asNewRule<T extends { readonly id: string }>(rule: T): Omit<T, "id"> {
  const { id: _, ...rest } = rule;
  return rest;
}

/**
 * Returns the parts of a strategy that affect its outcome: without the ids of ordered rules, and
 * without the slots of splits, which depend on earlier changes in the same environment.
 */
function comparable(content: StrategyContent, variants: readonly string[]) {
  const { rules, ...activation } = readable(content, variants);
  return {
    ...withoutSlots(activation),
    rules: rules.map((rule) => withoutSlots(asNewRule(rule))),
  };
}

const withoutSlots = <T extends { readonly serve: ServeView }>({ serve, ...rest }: T) => ({
  ...rest,
  serve: "variant" in serve ? { variant: serve.variant } : { weights: serve.weights },
});
