import type { CompiledRules } from "../rules/rule-set.ts";
import type { ClientCall } from "./surface.ts";

/**
 * The fault that an environment has more regular expressions than an isolate compiles. Constraints
 * with a regular expression that was not compiled never hold.
 */
class RefusedRegexes extends Error {
  constructor(environmentId: number, count: number) {
    super(`${count} regular expressions of environment ${environmentId} are too large together`);
  }
}

/**
 * Returns the rules that a request may evaluate, by flag key: for a `FRONTEND` key, and with
 * `isForBrowser`, without the flags that browsers do not get. So such a flag is an unknown flag on
 * each route.
 */
export function visibleRules(
  call: Omit<ClientCall, "c">,
  isForBrowser = call.served.key.keyType !== "SERVER",
): CompiledRules["byKey"] {
  const rules = compiledRules(call);
  return isForBrowser ? rules.publicByKey : rules.byKey;
}

/**
 * Returns the compiled rules of a request. The first request that needs them compiles them, and
 * reports refused regular expressions as a fault.
 */
function compiledRules({ served: { set }, edge, ports }: Omit<ClientCall, "c">): CompiledRules {
  const isFirst = !set.isCompiled;
  const rules = edge.rules.compiled(set);
  if (isFirst && rules.refusedRegexes > 0)
    ports.fault("regexes", new RefusedRegexes(set.snapshot.environmentId, rules.refusedRegexes));
  return rules;
}
