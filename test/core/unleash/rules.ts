import { compileRules, evaluate } from "@feature-flags/evaluation/evaluate";
import type { Activation, ClientRule, Constraint } from "@feature-flags/evaluation/rule";
import { type Form, unleashDocument } from "@feature-flags/unleash";
import { flat, type Shown, shownByUnleash, shownHere, type UserContext } from "./compared.ts";
import { unleashWith } from "./unleash-sdk.ts";

/** Whom a rule applies to, with everybody as the default. */
export const activation = (given: Partial<Activation> = {}): Activation => ({
  rollOut: 100,
  constraints: [],
  segments: [],
  ...given,
});

/** A boolean flag with the key `flag`. */
export const booleanFlag = (given: Partial<ClientRule> = {}): ClientRule => ({
  key: "flag",
  name: "Flag",
  enabled: true,
  activation: activation(),
  ...given,
});

/** A flag with three variants and the key `flag`. Its off variant is `none`. */
export const valuedFlag = (given: Partial<ClientRule> = {}): ClientRule =>
  booleanFlag({
    type: "json",
    variants: { none: null, blue: "b", red: 2 },
    offVariant: "none",
    activation: activation({ serve: "blue" }),
    ...given,
  });

/** Returns ordered rules with ids. */
export const ordered = (...rules: readonly Partial<Activation>[]) =>
  rules.map((rule, n) => Object.assign({ id: `rule-${n}` }, activation(rule)));

export const where = (
  field: string,
  operator: string,
  values: readonly string[],
  more: Partial<Constraint> = {},
): Constraint => ({ field, operator, values, contextType: "string", ...more });

/** 400 contexts with ids, in four countries. */
export const USERS: readonly UserContext[] = Array.from({ length: 400 }, (_, n) => ({
  userId: `user-${n}`,
  properties: { country: ["de", "at", "ch", "fr"][n % 4] ?? "", age: String(n % 80) },
}));

/** The document of rules, evaluated by the SDK of Unleash and here. */
export function mapped(rules: ClientRule | readonly ClientRule[], form: Form = "a") {
  const all = [rules].flat();
  const { features, notes } = unleashDocument(all, form);
  const unleash = unleashWith({ features });
  const compiled = compileRules(all);
  return {
    features,
    notes,
    /** The codes of the notes, each with its level and its detail. */
    codes: notes.map(({ level, code, detail }) => [level, code, detail].filter(Boolean).join(" ")),
    theirs: (context: UserContext, key = "flag"): Shown => shownByUnleash(unleash, key, context),
    ours: (context: UserContext, key = "flag"): Shown =>
      shownHere(evaluate(compiled, key, flat(context))),
  };
}

/** Returns how many users have the flag on: in Unleash, here, and in Unleash but not here. */
export function countOn({ theirs, ours }: ReturnType<typeof mapped>, key = "flag") {
  const counts = { theirs: 0, ours: 0, onlyTheirs: 0 };
  for (const user of USERS) {
    const [there, here] = [theirs(user, key).isOn, ours(user, key).isOn];
    if (there) counts.theirs++;
    if (here) counts.ours++;
    if (there && !here) counts.onlyTheirs++;
  }
  return counts;
}
