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
export const auditedStrategy = (content: StrategyContent, variants: readonly string[]): object => ({
  ...content,
  serve: serveView(content.serve, variants),
  rules: content.rules.map((rule) => ({ ...rule, serve: serveView(rule.serve, variants) })),
});
