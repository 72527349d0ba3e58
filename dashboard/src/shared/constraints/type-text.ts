import type { TFunction } from "i18next";

const TYPES = ["string", "number", "boolean", "date", "semver", "ip"] as const;
type KnownType = (typeof TYPES)[number];

export const isKnownType = (type: string): type is KnownType =>
  TYPES.some((known) => known === type);

/** The translated name of a type, such as `Version`; an unknown type is returned unchanged. */
export const typeText = (t: TFunction, type: string): string =>
  isKnownType(type) ? t(`constraints.types.${type}`) : type;

/** Options of a select: all types, and `current` if it is an unknown type. */
export function typeOptions(t: TFunction, current?: string): { value: string; label: string }[] {
  const types: string[] = [...TYPES];
  if (current !== undefined && !types.includes(current)) types.push(current);
  return types.map((value) => ({ value, label: typeText(t, value) }));
}
