import { UNUSUAL_TEXTS } from "./forms.ts";

/** A user with the attributes that the flags of other services compare. */
export type User = Readonly<Record<string, string | number | boolean>> & { readonly key: string };

const COUNTRIES = ["de", "at", "ch", "fr"];

/** Users with different keys. Some of them lack some attributes. */
export const USERS = Array.from({ length: 10_000 }, (_, n): User => ({
  key: `user-${n}`,
  country: COUNTRIES[n % COUNTRIES.length] ?? "",
  age: n % 80,
  version: `1.${n % 5}.${n % 3}${n % 11 === 0 ? "-beta.1" : ""}`,
  email: n % 3 === 0 ? `Ann${n}@example.com` : `bob${n}@example.org`,
  signedUp: `2026-0${(n % 9) + 1}-01T00:00:00Z`,
  organization: `org-${n % 41}`,
  ...(n % 2 === 0 && { plan: n % 4 === 0 ? "pro" : "free" }),
  ...(n % 5 !== 0 && { score: (n % 7) - 3 }),
  ...(n % 3 !== 1 && { beta: n % 3 === 0 }),
}));

/** Returns the context of a user for the evaluator of this project. */
export const contextOf = ({ key, ...attributes }: User) => ({ targetingKey: key, ...attributes });

/** Users whose attributes have values in unusual forms, or of other types. */
export const UNUSUAL_USERS = [...UNUSUAL_TEXTS, 0, 1, 1.1, 18, true, false].flatMap((value, n) =>
  USERS.slice(0, 4).map((user): User => {
    const attributes = Object.keys(user).map((name) => [name, value]);
    return Object.assign(Object.fromEntries(attributes), { key: `unusual-${n}-${user.key}` });
  }),
);
