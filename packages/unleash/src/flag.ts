import type { ClientRule } from "@feature-flags/evaluation/rule";
import { type Alternatives, areSameInAll, hasId } from "./constraints.ts";
import type { Form, UnleashStrategy, UnleashVariant } from "./feature.ts";
import { type Fault, isFault } from "./fault.ts";
import { fieldName, stickinessOf } from "./fields.ts";
import type { Note } from "./note.ts";
import { isBoolean, isForAll, offVariantOf, readRule, type Rule, servedBy } from "./rules.ts";
import { sizeFault, strategyLength, variantsLength } from "./size.ts";
import { hashesLikeRollOut, isRounded, sharedSplit, Variants } from "./splits.ts";
import { allOf, both, type Effect, NO_CONDITIONS, noneOf, strategiesOf } from "./strategies.ts";

/** The rules of a flag in Unleash, without its prerequisites. */
export interface MappedFlag {
  readonly strategies: readonly UnleashStrategy[];
  /** The variants of the feature. */
  readonly variants: readonly UnleashVariant[];
  /** The strategies of the helper `key~off`: the flag is off for whom one of them holds. */
  readonly holdout: readonly UnleashStrategy[];
  readonly notes: readonly Note[];
  /** Whether all rules are mapped. */
  readonly isComplete: boolean;
  /** Whether nobody gets another variant in an SDK than here, except for the off variant. */
  readonly isChoiceExact: boolean;
}

const NOTHING = {
  strategies: [],
  variants: [],
  holdout: [],
  isComplete: false,
  isChoiceExact: true,
} satisfies Partial<MappedFlag>;

/** Returns a flag that is off as a whole. */
export const unserved = (flagKey: string, { code, detail }: Fault): MappedFlag => ({
  ...NOTHING,
  notes: [
    { flagKey, rule: null, level: "unserved", code, ...(detail !== undefined && { detail }) },
  ],
});

/** Returns the rules of a flag in Unleash. */
export function mapFlag(flag: ClientRule, form: Form): MappedFlag {
  const { key: flagKey, enabled, prerequisites = [] } = flag;
  const isOnWhenOff = isBoolean(flag) && offVariantOf(flag) === "on";
  if (isOnWhenOff && prerequisites.length > 0) return unserved(flagKey, { code: "off-variant-on" });
  const mapping = isBoolean(flag) ? new BooleanFlag(flag) : new ValuedFlag(flag, form);
  if (enabled) mapping.addRules(rulesOf(flag));
  if (isOnWhenOff && mapping instanceof BooleanFlag) mapping.addForRest();
  const mapped = mapping.result;
  const fault =
    mapped.notes.find(({ code }) => code === "size") ??
    sizeFault(mapping.length + variantsLength(mapped.variants));
  return fault ? unserved(flagKey, fault) : mapped;
}

/** Reads the rules of a flag that may decide, up to the first one that cannot be read. */
function rulesOf(flag: ClientRule): readonly (Rule | NumberedFault)[] {
  const rules: (Rule | NumberedFault)[] = [];
  for (const [index, activation] of [...(flag.rules ?? []), flag.activation].entries()) {
    const rule = readRule(activation, index, flag);
    if (!rule) continue;
    rules.push(isFault(rule) ? { index, fault: rule } : rule);
    if (isFault(rule) || isForAll(rule)) break;
  }
  return rules;
}

interface NumberedFault {
  readonly index: number;
  readonly fault: Fault;
}

/** What the mappings of both kinds of flags have in common. */
abstract class Mapping {
  protected readonly flag: ClientRule;
  protected readonly strategies: UnleashStrategy[] = [];
  protected readonly notes: Note[] = [];
  #isComplete = true;
  #length = 0;

  constructor(flag: ClientRule) {
    this.flag = flag;
  }

  /** Whether all rules are mapped. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The characters of the strategies as JSON: at least so many. */
  get length(): number {
    return this.#length;
  }

  abstract get result(): MappedFlag;

  /** Maps rules up to the first one that cannot be expressed. */
  addRules(rules: readonly (Rule | NumberedFault)[]): void {
    for (const rule of rules) {
      const fault = "fault" in rule ? rule.fault : this.add(rule);
      if (!fault) continue;
      this.end(rule.index, fault);
      return;
    }
  }

  /** Adds a note that the rule, or what follows the last rule, is left out. */
  protected end(rule: number | null, fault: Fault): void {
    const level = this.strategies.length > 0 ? "partial" : "unserved";
    this.notes.push({ flagKey: this.flag.key, rule, level, ...fault });
    this.#isComplete = false;
  }

  /** Maps a rule; returns why it cannot be expressed. */
  protected abstract add(rule: Rule): Fault | undefined;

  /** Adds a note that a rule, or the whole flag, is not exact. */
  protected approximate(rule: number | null, code: Note["code"], detail?: string): void {
    const note: Note = { flagKey: this.flag.key, rule, level: "approximate", code };
    this.notes.push(detail === undefined ? note : { ...note, detail });
  }

  /** Adds a note if a percentage was rounded, because SDKs know no decimals. */
  protected noteDecimals({ percentage, index }: Rule, sent: number): void {
    if (percentage !== sent) this.approximate(index, "decimals", String(sent));
  }

  /** Adds the strategies of a rule, unless it includes nobody. */
  protected push(alternatives: Alternatives | Fault, effect: Effect): Fault | undefined {
    if (effect.percentage === 0) return undefined;
    const made = isFault(alternatives)
      ? alternatives
      : strategiesOf(alternatives, effect, this.strategies.length);
    if (isFault(made)) return made;
    this.strategies.push(...made);
    return this.count(made);
  }

  /** Counts strategies. Returns a fault once the flag is too large, so that its mapping ends. */
  protected count(made: readonly UnleashStrategy[]): Fault | undefined {
    for (const one of made) this.#length += strategyLength(one);
    return sizeFault(this.#length);
  }

  /** What a strategy hashes whose percentage is 100, so that the result does not matter. */
  protected get forAll(): Effect {
    return { percentage: 100, stickiness: undefined, hashKey: this.flag.key };
  }

  protected effectOf(rule: Rule, percentage: number): Effect {
    return rule.percentage === 100
      ? this.forAll
      : { percentage, stickiness: rule.stickiness, hashKey: rule.hashKey };
  }
}

class BooleanFlag extends Mapping {
  readonly #holdout: UnleashStrategy[] = [];
  /** In which cases no earlier rule has turned the flag off for everybody whom it concerns. */
  #remaining: Alternatives = NO_CONDITIONS;
  #isDecided = false;

  get result(): MappedFlag {
    const { strategies, notes, isComplete } = this;
    const holdout = strategies.length > 0 ? this.#holdout : [];
    return { strategies, variants: [], holdout, notes, isComplete, isChoiceExact: true };
  }

  /** Turns the flag on for everybody for whom no rule decides. */
  addForRest(): void {
    if (this.#isDecided || !this.isComplete) return;
    const fault = this.push(this.#remaining, this.forAll);
    if (fault) this.end(null, fault);
  }

  protected override add(rule: Rule): Fault | undefined {
    const served = servedBy(rule);
    if (served === undefined) return { code: "boolean-split" };
    if (isForAll(rule)) this.#isDecided = true;
    return served === "on" ? this.#addOn(rule) : this.#addOff(rule);
  }

  #addOn(rule: Rule): Fault | undefined {
    const percentage = Math.floor(rule.percentage);
    const conditions = allOf(rule.conditions);
    if (isFault(conditions)) return conditions;
    const fault = this.push(both(this.#remaining, conditions), this.effectOf(rule, percentage));
    if (!fault) this.noteDecimals(rule, percentage);
    return fault;
  }

  #addOff(rule: Rule): Fault | undefined {
    if (rule.percentage < 100) return this.#addHoldout(rule);
    if (this.#isDecided) return undefined;
    const opposite = noneOf(rule.conditions);
    if (isFault(opposite)) return opposite;
    const remaining = both(this.#remaining, opposite);
    if (isFault(remaining)) return remaining;
    this.#remaining = remaining;
    return undefined;
  }

  #addHoldout(rule: Rule): Fault | undefined {
    if (this.strategies.length > 0) return { code: "partial-off" };
    const conditions = allOf(rule.conditions);
    if (isFault(conditions)) return conditions;
    // An SDK in which a condition does not hold would have the flag on for users who are held out.
    if (!conditions.every(areSameInAll)) return { code: "off-condition" };
    const percentage = Math.ceil(rule.percentage);
    const effect = { percentage, stickiness: rule.stickiness, hashKey: rule.hashKey };
    const made = strategiesOf(conditions, effect, this.#holdout.length);
    if (isFault(made)) return made;
    this.#holdout.push(...made);
    this.noteDecimals(rule, percentage);
    return this.count(made);
  }
}

class ValuedFlag extends Mapping {
  readonly #form: Form;
  readonly #offVariant: string | null;
  readonly #made: Variants;
  #shared: Rule | undefined;
  /** Whether some SDKs pass over a rule that serves the off variant, and go on with the next rule. */
  #canPassOff = false;
  /** Whether some users get the variant of a later rule than here. */
  #canPass = false;
  #isChoiceExact = true;

  constructor(flag: ClientRule, form: Form) {
    super(flag);
    this.#form = form;
    this.#made = new Variants(flag);
    this.#offVariant = offVariantOf(flag);
    if (this.#offVariant !== null) this.approximate(null, "off-variant-default");
  }

  get result(): MappedFlag {
    const { strategies, notes, isComplete } = this;
    const stickiness = this.#shared && stickinessOf(this.#shared.splitStickiness);
    const variants =
      this.#shared && typeof stickiness === "string"
        ? this.#made.ofSlots(this.#shared.slots, stickiness)
        : [];
    const isChoiceExact = this.#isChoiceExact;
    return { strategies, variants, holdout: [], notes, isComplete, isChoiceExact };
  }

  override addRules(rules: readonly (Rule | NumberedFault)[]): void {
    const sound = rules.filter((rule): rule is Rule => !("fault" in rule));
    this.#shared = sharedSplit(sound, this.flag.key, this.#form);
    super.addRules(rules);
  }

  protected override add(rule: Rule): Fault | undefined {
    if (this.#canPassOff) return { code: "off-condition" };
    const { index, slots } = rule;
    const isOff = slots.every(([, , variant]) => variant === this.#offVariant);
    const conditions = this.#conditionsOf(rule);
    if (isFault(conditions)) return conditions;
    const effect = this.#effectOf(rule);
    if (isFault(effect)) return effect;
    // More users get the off variant, and fewer users get another one.
    const percentage = isOff ? Math.ceil(rule.percentage) : Math.floor(rule.percentage);
    const fault = this.push(conditions, { ...effect, percentage });
    if (fault) return fault;
    this.noteDecimals(rule, percentage);
    if (slots.some(([, , variant]) => variant === this.#offVariant)) {
      this.approximate(index, "off-variant-served");
      this.#canPassOff = !conditions.every(areSameInAll);
    }
    if (isRounded(slots)) this.approximate(index, "split-borders");
    if (this.#canPass || isRounded(slots)) this.#isChoiceExact = false;
    if (percentage < rule.percentage || !conditions.every(areSameInAll)) this.#canPass = true;
    return undefined;
  }

  /**
   * Returns the conditions of a rule. SDKs draw the variant of a feature at random for a context without
   * the id of the split, so a roll-out that hashes another field also demands that id.
   */
  #conditionsOf(rule: Rule): Alternatives | Fault {
    const { conditions, slots, stickiness, splitStickiness } = rule;
    const all = allOf(conditions);
    if (isFault(all) || slots.length === 1 || hashesLikeRollOut(rule)) return all;
    // A split without a field of its own has that of the roll-out.
    if (splitStickiness === undefined || fieldName(splitStickiness) === fieldName(stickiness ?? ""))
      return all;
    const id = hasId(splitStickiness);
    return isFault(id) ? id : both(all, id);
  }

  #effectOf(rule: Rule): Effect | Fault {
    const { slots, percentage, splitKey, splitStickiness } = rule;
    const variants = (stickiness: string) => this.#made.ofSlots(slots, stickiness);
    if (slots.length === 1) return { ...this.effectOf(rule, percentage), variants };
    const split = { percentage, stickiness: splitStickiness, hashKey: splitKey };
    if (!hashesLikeRollOut(rule))
      return this.#shared ? this.effectOf(rule, percentage) : { code: "split-hash" };
    return this.#shared && this.#form === "a" ? split : { ...split, variants };
  }
}
