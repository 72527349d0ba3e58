import * as compiler from "./compile.ts";
import * as constraints from "./constraint.ts";
import { Re2Pool } from "./regex.ts";

/**
 * Compiles and evaluates rules, with the engine for RE2 regular expressions. The engine is large. A
 * caller that loads it only for rules that need it uses `compile` and `decide` instead.
 */

export { type CompiledRule, linkPrerequisites } from "./compile.ts";
export { evaluate, evaluateRule, hasVariants, isMet, newBatch } from "./decide.ts";

/** See `CompileOptions` of `compile`. `regexes`: by default a new pool. */
export type CompileOptions = Partial<compiler.CompileOptions>;

/** See `compileRule` of `compile`. */
export const compileRule = (rule: unknown, options: CompileOptions = {}): compiler.CompiledRule =>
  compiler.compileRule(rule, { regexes: new Re2Pool(), ...options });

/** See `compileRules` of `compile`. */
export const compileRules = (
  rules: readonly unknown[],
  options: CompileOptions = {},
): Map<string, compiler.CompiledRule> =>
  compiler.compileRules(rules, { regexes: new Re2Pool(), ...options });

/** See `compileConstraint` of `constraint`. */
export const compileConstraint = (
  constraint: unknown,
  regexes = new Re2Pool(),
): constraints.Condition => constraints.compileConstraint(constraint, regexes);
