import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Form, UnleashDependency, UnleashFeature } from "./feature.ts";
import { type MappedFlag, mapFlag, unserved } from "./flag.ts";
import type { Note } from "./note.ts";
import {
  helperOff,
  helperRules,
  inOrder,
  isAlwaysOff,
  placed,
  type PlacedFlag,
} from "./prerequisites.ts";

export type { Form, UnleashFeature } from "./feature.ts";
export type { Code, Level, Note } from "./note.ts";

/** A document for SDKs of Unleash, `{version: 2, features, segments: []}`. */
export interface UnleashDocument {
  /** The flags in the order of the rules, each followed by its helpers `key~off` and `key~rules`. */
  readonly features: readonly UnleashFeature[];
  /** What the document does not do exactly, in the order of the rules. */
  readonly notes: readonly Note[];
}

/** Returns what SDKs of Unleash do not do exactly of a flag, whatever it requires. */
export const notesOf = (rule: ClientRule): readonly Note[] => mapFlag(rule, "a").notes;

/**
 * Makes the document of an environment.
 *
 * @param rules the rules as `GET /api/client/features` returns them
 * @param excess the flags that are off because of their size: how many bytes they have, by key
 */
export function unleashDocument(
  rules: readonly ClientRule[],
  form: Form,
  excess: ReadonlyMap<string, number> = new Map(),
): UnleashDocument {
  const flags = new Map<string, PlacedFlag>();
  for (const rule of inOrder(new Map(rules.map((one) => [one.key, one])))) {
    const bytes = excess.get(rule.key);
    const mapped =
      bytes === undefined
        ? mapFlag(rule, form)
        : unserved(rule.key, { code: "size", detail: String(bytes) });
    flags.set(rule.key, ofForm(form, placed(rule, mapped, flags)));
  }
  // The flags on a cycle of prerequisites, and those that require them, are off for everybody here, too.
  for (const rule of rules)
    if (!flags.has(rule.key))
      flags.set(rule.key, { rule, mapped: mapFlag(rule, form), dependencies: undefined });
  const needed = new Set<string>();
  for (const { dependencies = [] } of flags.values())
    for (const { feature } of dependencies) needed.add(feature);
  const features: UnleashFeature[] = [];
  const notes: Note[] = [];
  for (const { key } of rules) {
    const flag = flags.get(key);
    if (!flag) continue;
    notes.push(...allNotes(flag));
    features.push(...featuresOf(flag, needed));
  }
  return { features, notes };
}

const NOTHING: Pick<MappedFlag, "strategies" | "variants"> = { strategies: [], variants: [] };

/** Returns a flag as the SDKs of a form can have it. Older SDKs ignore dependencies. */
function ofForm(form: Form, flag: PlacedFlag): PlacedFlag {
  const { rule, mapped, dependencies = [] } = flag;
  return form === "b" && dependencies.length > 0 && !isAlwaysOff(flag)
    ? { rule, mapped, dependencies: undefined, fault: { code: "old-sdk" } }
    : flag;
}

function allNotes({ rule, mapped, fault, inexactParent }: PlacedFlag): readonly Note[] {
  const ofFlag = { flagKey: rule.key, rule: null };
  if (fault) return [...mapped.notes, { ...ofFlag, level: "unserved", ...fault }];
  if (inexactParent === undefined) return mapped.notes;
  return [
    ...mapped.notes,
    { ...ofFlag, level: "approximate", code: "prerequisite", detail: inexactParent },
  ];
}

/** Returns the feature of a flag, followed by its helpers. */
function featuresOf(flag: PlacedFlag, needed: ReadonlySet<string>): readonly UnleashFeature[] {
  const { mapped, dependencies = [] } = flag;
  const { key } = flag.rule;
  if (isAlwaysOff(flag)) return [featureOf(key, NOTHING, [])];
  const features = [featureOf(key, mapped, dependencies)];
  const { holdout } = mapped;
  if (holdout.length > 0)
    features.push(featureOf(helperOff(key), { strategies: holdout, variants: [] }, []));
  if (needed.has(helperRules(key))) features.push(featureOf(helperRules(key), mapped, []));
  return features;
}

/** Returns a feature. It is off if it has no strategies, because Unleash would have it on for everybody. */
const featureOf = (
  name: string,
  { strategies, variants }: Pick<MappedFlag, "strategies" | "variants">,
  dependencies: readonly UnleashDependency[],
): UnleashFeature => ({
  name,
  type: "release",
  enabled: strategies.length > 0,
  stale: false,
  impressionData: false,
  strategies,
  variants,
  ...(dependencies.length > 0 && { dependencies }),
});
