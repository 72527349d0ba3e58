import type { Serve } from "@feature-flags/evaluation/rule";
import { type ServeView, serveView } from "./serve.ts";
import { recordedPercentage, type StoredRule, type StrategyContent } from "./strategy.ts";

/** A strategy or an ordered rule in another form. `P` has the percentage. */
type Shown<T, P> = Omit<T, "percentage" | "serve" | "rules"> & P & { readonly serve: ServeView };
type ShownStrategy<P> = Shown<StrategyContent, P> & {
  readonly rules: readonly Shown<StoredRule, P>[];
};

/** A strategy, as the API shows it. */
export type StrategyView = ShownStrategy<{
  readonly percentage: number;
  readonly exactPercentage: number;
}>;

/** A strategy, as the audit trail stores it. */
type AuditedStrategy = ShownStrategy<ReturnType<typeof recordedPercentage>>;

/**
 * Returns a strategy in another form: what a rule serves as `serveView` shows it, and the percentages
 * as `show` does. Keeps the order of the fields. `variants`: the keys of the flag's variants, in order.
 */
export function shownStrategy<P>(
  { enabled, ...last }: StrategyContent,
  variants: readonly string[],
  show: (percentage: number) => P,
): ShownStrategy<P> {
  const shown = <T extends Pick<StrategyContent, "percentage" | "serve">>({
    percentage,
    ...rest
  }: T) => ({ ...show(percentage), ...rest, serve: serveView(rest.serve, variants) });
  return {
    enabled,
    ...shown(last),
    rules: last.rules.map(({ id, name, ...rule }) => ({ id, name, ...shown(rule) })),
  };
}

/** Returns a strategy as the API shows it. */
export const strategyView = (content: StrategyContent, variants: readonly string[]): StrategyView =>
  shownStrategy(content, variants, (exact) => ({
    percentage: Math.floor(exact),
    exactPercentage: exact,
  }));

/** Returns a strategy as the audit trail stores it. */
export const auditedStrategy = (
  content: StrategyContent,
  variants: readonly string[],
): AuditedStrategy => shownStrategy(content, variants, recordedPercentage);

/** Returns the strategy that the audit trail describes. */
export const fromAudited = ({ rules, ...last }: AuditedStrategy): StrategyContent => ({
  ...toContent(last),
  rules: rules.map(toContent),
});

const toContent = <T extends Pick<AuditedStrategy, "percentage" | "exactPercentage" | "serve">>({
  serve,
  exactPercentage,
  ...rest
}: T) => ({ ...rest, percentage: exactPercentage ?? rest.percentage, serve: toServe(serve) });

const toServe = (view: ServeView): Serve =>
  "variant" in view
    ? { variant: view.variant }
    : { slots: view.slots.map(({ from, to, variant }) => [from, to, variant]) };
