import type { FileActivation, FileRule, FileStrategy } from "@feature-flags/file/file";
import { assertConstraints } from "../condition.ts";
import { type Changes, Refusal } from "../report.ts";
import { strategyWith } from "../rules.ts";
import type {
  UnleashDocument,
  UnleashFeature,
  UnleashStrategy,
  UnleashVariant,
} from "./document.ts";
import { noted } from "./constraints.ts";
import { rollOutOf } from "./roll-out.ts";
import type { Segments } from "../segments.ts";
import { conditionsOf } from "./segments.ts";
import { servedBy, totalWeight, type VariantChoice } from "./splits.ts";

/** What the strategies of a flag in one environment are made from. */
export interface Place {
  readonly document: UnleashDocument;
  readonly segments: Segments;
  readonly changes: Changes;
  /** The keys of the variants of the flag; undefined for a boolean flag. */
  readonly order: readonly string[] | undefined;
}

/**
 * Returns the strategy of a flag. Unleash takes the first strategy that includes the user, so each of
 * them is a rule in the same order, and the last one is the strategy's own fields. A feature with an
 * empty list is on for everybody. One without a list is off in the SDK for Node. Throws: Refusal.
 */
export function convertedStrategy(feature: UnleashFeature, place: Place): FileStrategy {
  const { enabled, strategies } = feature;
  if (!strategies) {
    place.changes.add("noStrategies");
    return strategyWith(enabled, [], { percentage: 0 });
  }
  const sources = strategies.length > 0 ? strategies : [{ name: "default" }];
  const rules = sources.flatMap((one) => rulesOf(one, feature, place));
  const last = rules.pop();
  return strategyWith(enabled, rules, last ?? { percentage: 0 });
}

/** Returns the rules of a strategy: none if it includes nobody, and one more for each override. */
function rulesOf(source: UnleashStrategy, feature: UnleashFeature, place: Place): FileRule[] {
  const { changes, order } = place;
  const rollOut = rollOutOf(source, feature.name, changes);
  // The SDKs fail at a strategy without the parameters that it reads.
  if (!source.parameters && (source.name !== "default" || source.variants?.length))
    throw new Refusal("noParameters", { strategy: source.name });
  const conditions = conditionsOf(source, place);
  if (!rollOut || !conditions) return [];
  const constraints = [...rollOut.constraints, ...conditions.constraints];
  assertConstraints(constraints);
  const { percentage, stickiness, hashKey } = rollOut;
  const activation: FileActivation = {
    ...(percentage !== 100 && { percentage }),
    ...(constraints.length > 0 && { constraints }),
    ...(conditions.segments.length > 0 && { segments: conditions.segments }),
    ...(stickiness !== undefined && { stickiness }),
    ...(hashKey !== undefined && { hashKey }),
  };
  if (!order) return [activation];
  const choice = choiceOf(source, feature);
  const rule = { rollOut, flagKey: feature.name, order };
  return [
    ...overridden(choice.variants, activation, changes),
    { ...activation, ...servedBy(choice, rule, changes) },
  ];
}

/** Returns the variants that a strategy serves: its own, or those of the feature. */
function choiceOf(
  { variants, parameters = {} }: UnleashStrategy,
  feature: UnleashFeature,
): VariantChoice {
  if (variants && totalWeight(variants) > 0) {
    // The SDK hashes the text "undefined" for a strategy without a group id.
    const groupId = String(parameters["groupId"]);
    const [first] = variants;
    const stickiness = first?.stickiness || String(parameters["stickiness"] ?? "") || undefined;
    return { variants, groupId, stickiness };
  }
  if (feature.variants && totalWeight(feature.variants) > 0)
    return {
      variants: feature.variants,
      groupId: feature.name,
      stickiness: feature.variants[0]?.stickiness,
    };
  throw new Refusal("someVariants");
}

/** Returns the rules for the overrides of variants, which decide before the weights. */
function overridden(
  variants: readonly UnleashVariant[],
  activation: FileActivation,
  changes: Changes,
): FileRule[] {
  const { constraints = [] } = activation;
  return variants.flatMap(({ name, overrides }) =>
    (overrides ?? [])
      .filter(({ values }) => values.length > 0)
      .map(({ contextName: field, values }): FileRule => {
        const override = noted({ field, operator: "in", values }, changes);
        return Object.assign({}, activation, {
          constraints: [...constraints, override],
          serve: { variant: name },
        });
      }),
  );
}
