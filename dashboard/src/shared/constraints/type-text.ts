import type { TFunction } from "i18next";

const TYPES = ["string", "number", "boolean", "date", "semver", "ip"] as const;
type KnownType = (typeof TYPES)[number];

export const isKnownType = (type: string): type is KnownType =>
  TYPES.some((known) => known === type);

/** Translates the name of a type, for example to `Version`. Returns an unknown type unchanged. */
export const typeText = (t: TFunction, type: string): string =>
  isKnownType(type) ? t(`constraints.types.${type}`) : type;

/**
 * Returns the options of a type select: all known types and, if it is unknown, the type `current`.
 */
export function typeOptions(t: TFunction, current?: string): { value: string; label: string }[] {
  const types: string[] = [...TYPES];
  if (current !== undefined && !types.includes(current)) types.push(current);
  return types.map((value) => ({ value, label: typeText(t, value) }));
}
