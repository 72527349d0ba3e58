import {
  type AllOptions,
  type Details,
  type Evaluator,
  type FlagResult,
  type JsonValue,
  typeOf,
} from "./evaluator.ts";
import type { EvaluationContext } from "./flag-types.ts";
import type { ValueType } from "./rule-store.ts";

const NO_CONTEXT: EvaluationContext = {};

/** The checks that clients with a URL and clients with a service binding share. */
export class Checks {
  readonly #evaluator: Evaluator;

  constructor(evaluator: Evaluator) {
    this.#evaluator = evaluator;
  }

  boolean(key: string, fallback: boolean, context: EvaluationContext = NO_CONTEXT): boolean {
    return this.#evaluator.value("boolean", key, fallback, context);
  }

  string(key: string, fallback: string, context: EvaluationContext = NO_CONTEXT): string {
    return this.#evaluator.value("string", key, fallback, context);
  }

  number(key: string, fallback: number, context: EvaluationContext = NO_CONTEXT): number {
    return this.#evaluator.value("number", key, fallback, context);
  }

  json<T = JsonValue>(key: string, fallback: T, context: EvaluationContext = NO_CONTEXT): T {
    return this.#evaluator.value("json", key, fallback, context);
  }

  details<T>(
    key: string,
    fallback: T,
    context: EvaluationContext = NO_CONTEXT,
    type: ValueType = typeOf(fallback),
  ): Details<T> {
    return this.#evaluator.details(type, key, fallback, context);
  }

  all(context: EvaluationContext = NO_CONTEXT, options?: AllOptions): Record<string, FlagResult> {
    return this.#evaluator.all(context, options);
  }
}
