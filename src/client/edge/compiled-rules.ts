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
 * Returns the compiled rules of a request. The first request that needs them compiles them, and
 * reports refused regular expressions as a fault.
 */
export function compiledRules({
  served: { set },
  edge,
  ports,
}: Omit<ClientCall, "c">): CompiledRules {
  const isFirst = !set.isCompiled;
  const rules = edge.rules.compiled(set);
  if (isFirst && rules.refusedRegexes > 0)
    ports.fault("regexes", new RefusedRegexes(set.snapshot.environmentId, rules.refusedRegexes));
  return rules;
}
