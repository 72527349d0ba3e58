import type { Constraint } from "@feature-flags/evaluation/rule";

/** What a strategy or a rule serves, in the API's format. */
type DemoServe =
  | { readonly variant: string }
  | { readonly weights: Readonly<Record<string, number>> };

interface DemoTargeting {
  /** The percentage of customers, with up to three decimals. */
  readonly percentage: number;
  readonly constraints?: readonly Constraint[];
  /** The names of the segments. */
  readonly segments?: readonly string[];
  readonly stickiness?: string;
  readonly serve?: DemoServe;
}

/** An ordered rule of a demo flag. */
export interface DemoRule extends DemoTargeting {
  readonly name: string;
}

/**
 * A strategy of a demo flag in one environment, in the API's format. Unlike in the API, `segments`
 * contains names, not ids, and `percentage` may have decimals.
 */
export interface DemoStrategy extends DemoTargeting {
  readonly enabled: boolean;
  readonly rules?: readonly DemoRule[];
}

/** The fields that the API has for flags with values and for prerequisites. */
interface DemoValues {
  readonly valueType?: "string" | "number" | "json";
  readonly variants?: readonly {
    readonly key: string;
    readonly value: unknown;
    readonly description?: string;
  }[];
  readonly offVariant?: string;
  readonly valueSchema?: object;
  readonly prerequisites?: readonly { readonly flagKey: string }[];
}

export interface DemoFlag extends DemoValues {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly flagType: "RELEASE" | "KILLSWITCH";
  readonly tags: readonly string[];
  readonly production: DemoStrategy;
}

/** Returns a constraint on a context field. */
export const when = (
  field: string,
  contextType: string,
  operator: string,
  values: readonly string[],
): Constraint => ({ field, operator, values, contextType });
