import { CONTEXT_TYPES } from "@feature-flags/evaluation/operators";
import type { Translate } from "../i18n/translate.ts";

type KnownType = (typeof CONTEXT_TYPES)[number];

export const isKnownType = (type: string): type is KnownType =>
  CONTEXT_TYPES.some((known) => known === type);

/** Translates a context type, such as `semver`. Returns an unknown type unchanged. */
export const typeText = (t: Translate, type: string): string =>
  isKnownType(type) ? t(`constraints.types.${type}`) : type;

/** Returns all known types, and the type `current` if it is unknown. */
export function typeOptions(t: Translate, current?: string): { value: string; label: string }[] {
  const types: string[] = [...CONTEXT_TYPES];
  if (current !== undefined && !types.includes(current)) types.push(current);
  return types.map((value) => ({ value, label: typeText(t, value) }));
}
