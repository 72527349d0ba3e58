import type { Flag, Serve } from "../../shared/api/types.ts";
import type { StrategyContent } from "../../shared/strategy/settings.ts";
import { weightOf } from "../../shared/strategy/values.ts";

/**
 * Whether an SDK that does not know ordered rules has the flag on for users for whom it is off. Such
 * an SDK sees only the last rule, and takes the flag as on for everyone to whom this rule applies.
 */
export function isWrongForOldSdks(
  { offVariant }: Pick<Flag, "offVariant">,
  { rules, ...last }: StrategyContent,
): boolean {
  if (offVariant === null) return false;
  // An old SDK ignores the decimals of the percentage. The service sends it 0 % if the last rule
  // serves only the off variant.
  const isOnForSome = Math.floor(last.exactPercentage) > 0 && !isOnly(last.serve, offVariant);
  return (
    isOnForSome &&
    [...rules, last].some(
      ({ exactPercentage, serve }) => exactPercentage > 0 && mayServe(serve, offVariant),
    )
  );
}

const mayServe = (serve: Serve, variant: string): boolean =>
  "variant" in serve ? serve.variant === variant : weightOf(serve.weights, variant) > 0;

const isOnly = (serve: Serve, variant: string): boolean =>
  "variant" in serve ? serve.variant === variant : weightOf(serve.weights, variant) === 100;
