import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import type { Constraint } from "../../shared/api/types.ts";
import { loadValidation } from "../../shared/constraints/load-validation.ts";
import type { Translate } from "../../shared/i18n/translate.ts";
import type { DraftRule } from "./draft-rules.ts";
import { CONTENT_FIELDS, type StrategyDraft } from "./strategy.ts";

/** Error messages by path. The path "" stands for the value itself. */
export type ErrorsByPath = Readonly<Record<string, string>>;

/**
 * The error messages by field, and then by the path within the field, such as `0.values`. A field
 * without errors is missing or undefined.
 */
export type FieldErrors = Readonly<Partial<Record<string, ErrorsByPath>>>;

export interface StrategyErrors {
  /** The errors of the strategy's own fields. The path "" of `rules` is about the whole list. */
  readonly fields: FieldErrors;
  /** The errors of the ordered rules by id. */
  readonly rules: Readonly<Record<string, FieldErrors>>;
}

export const NO_ERRORS: StrategyErrors = { fields: {}, rules: {} };

/** Groups the field errors of an API error. `rules`: the rules in the request. */
export function strategyErrors(error: unknown, rules: readonly DraftRule[]): StrategyErrors {
  const fields = grouped(fieldErrorsOf(error));
  const ofRules = Object.entries(grouped(fields["rules"] ?? {}));
  return {
    fields,
    rules: Object.fromEntries(
      ofRules.flatMap(([index, errors]) => {
        const rule = rules[Number(index)];
        return index === "" || !rule ? [] : [[rule.id, grouped(errors)]];
      }),
    ),
  };
}

/** Validates the constraints of a strategy and its rules, as the server does. */
export async function constraintErrors(
  t: Translate,
  draft: StrategyDraft,
): Promise<StrategyErrors> {
  const validate = await loadValidation();
  const errorsOf = (constraints: readonly Constraint[]): FieldErrors => {
    const errors = validate(t, constraints);
    return Object.keys(errors).length === 0 ? {} : { constraints: errors };
  };
  return {
    fields: errorsOf(draft.constraints),
    rules: Object.fromEntries(
      draft.rules
        .map(({ id, constraints }) => [id, errorsOf(constraints)] as const)
        .filter(([, errors]) => errors["constraints"] !== undefined),
    ),
  };
}

export const hasErrors = ({ fields, rules }: StrategyErrors): boolean =>
  Object.keys(fields).length > 0 || Object.keys(rules).length > 0;

/**
 * Returns the errors without those of the fields that the user has changed. Keeps the errors of
 * constraints, because the constraints editor itself hides the errors of a changed constraint.
 */
export function withoutChanged(
  { fields, rules }: StrategyErrors,
  before: StrategyDraft,
  change: Partial<StrategyDraft>,
): StrategyErrors {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]));
  const left = (change.rules ?? []).flatMap((rule) => {
    const errors = rules[rule.id];
    const kept = errors && withoutFields(errors, changedFields(old.get(rule.id), rule));
    return kept && Object.keys(kept).length > 0 ? [[rule.id, kept]] : [];
  });
  return {
    fields: withoutFields(fields, Object.keys(change)),
    rules: change.rules ? Object.fromEntries(left) : rules,
  };
}

const changedFields = (before: DraftRule | undefined, after: DraftRule): string[] =>
  Object.entries(after)
    .filter(([field, value]) => before?.[field as keyof DraftRule] !== value)
    .map(([field]) => field);

const withoutFields = (errors: FieldErrors, changed: readonly string[]): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).filter(([field]) => field === "constraints" || !changed.includes(field)),
  );

/** Whether the form has an input for every error, so that no other place needs to show it. */
export function areAllAtInputs({ fields, rules }: StrategyErrors): boolean {
  const isKnown = (field: string) => CONTENT_FIELDS.some((known) => known === field);
  return (
    Object.keys(fields).every(isKnown) &&
    Object.values(rules).every((errors) =>
      Object.keys(errors).every((field) => isKnown(field) || field === "name"),
    )
  );
}

/** Groups error messages by the first part of their paths. */
function grouped(errors: ErrorsByPath): Record<string, ErrorsByPath> {
  const groups: Record<string, Record<string, string>> = {};
  for (const [path, message] of Object.entries(errors)) {
    const [field = "", ...rest] = path.split(".");
    (groups[field] ??= {})[rest.join(".")] = message;
  }
  return groups;
}
