import type { Serve } from "@feature-flags/evaluation/rule";
import { type ServeView, serveView } from "./serve.ts";
import type { ActivationContent, StoredRule, StrategyContent } from "./strategy.ts";

/** The fields of `ActivationContent` and `serve`, as the API shows them. */
interface ActivationView extends ActivationContent {
  readonly exactPercentage: number;
  readonly serve: ServeView;
}

/** An ordered rule, as the API shows it. */
interface RuleView extends ActivationView {
  readonly id: string;
  readonly name: string | null;
}

/** A strategy, as the API shows it. */
export interface StrategyView extends ActivationView {
  readonly enabled: boolean;
  readonly rules: readonly RuleView[];
}

const activationView = <T extends StoredRule | StrategyContent>(
  content: T,
  variants: readonly string[],
) => ({
  ...content,
  exactPercentage: content.exactPercentage ?? content.percentage,
  serve: serveView(content.serve, variants),
});

/**
 * Returns a strategy as the API shows it. `variants`: the keys of the flag's variants, in order.
 */
export const strategyView = (
  content: StrategyContent,
  variants: readonly string[],
): StrategyView => ({
  ...activationView(content, variants),
  rules: content.rules.map((rule) => activationView(rule, variants)),
});

/**
 * Returns a strategy as the audit trail stores it. It differs from the API response in one point: an
 * exact percentage that is a whole number is null.
 */
export const auditedStrategy = (
  content: StrategyContent,
  variants: readonly string[],
): AuditedStrategy => ({
  ...content,
  serve: serveView(content.serve, variants),
  rules: content.rules.map((rule) => ({ ...rule, serve: serveView(rule.serve, variants) })),
});

/** Returns the strategy that the audit trail describes. */
export const fromAudited = ({ serve, rules, ...rest }: AuditedStrategy): StrategyContent => ({
  ...rest,
  serve: toServe(serve),
  rules: rules.map(toRule),
});

type Audited<T> = Omit<T, "serve"> & { readonly serve: ServeView };
type AuditedStrategy = Audited<Omit<StrategyContent, "rules">> & {
  readonly rules: readonly Audited<StoredRule>[];
};

const toRule = ({ serve, ...rule }: Audited<StoredRule>): StoredRule => ({
  ...rule,
  serve: toServe(serve),
});

const toServe = (view: ServeView): Serve =>
  "variant" in view
    ? { variant: view.variant }
    : { slots: view.slots.map(({ from, to, variant }) => [from, to, variant]) };
