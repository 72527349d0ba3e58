import type { TFunction } from "i18next";

const TYPES = ["string", "number", "boolean", "date", "semver", "ip"] as const;
type KnownType = (typeof TYPES)[number];

export const isKnownType = (type: string): type is KnownType =>
  TYPES.some((known) => known === type);

/** What the values of a field are, such as `Version`; an unknown type by its own name. */
export const typeText = (t: TFunction, type: string): string =>
  isKnownType(type) ? t(`constraints.types.${type}`) : type;

/** For a select: all types, and the one that is there if it is none of them. */
export function typeOptions(t: TFunction, current?: string): { value: string; label: string }[] {
  const types: string[] = [...TYPES];
  if (current !== undefined && !types.includes(current)) types.push(current);
  return types.map((value) => ({ value, label: typeText(t, value) }));
}
