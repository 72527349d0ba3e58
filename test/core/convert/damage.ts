import * as fc from "fast-check";

type Json = Record<string, unknown> | unknown[];

/** What takes the place of a part of a document. `undefined` leaves the part out. */
const OTHERS: readonly unknown[] = [
  undefined,
  null,
  ["", "x", "de", "false", "ENABLED", "100"],
  [0, 1, 2, -1, 0.5, 200_000],
  [true, false],
].flat();

const LISTS: readonly unknown[] = [[], {}, [null], ["de"], [1], [[]], { a: 1 }, { var: "plan" }];

/** Returns the objects and lists in a value with the names of their parts. */
function placesIn(value: unknown): readonly (readonly [parent: Json, name: string])[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.keys(value).map((name) => [value as Json, name] as const);
  return own.concat(Object.values(value).flatMap(placesIn));
}

/** Draws copies of a document in which one or two parts have another value, or are left out. */
export function damaged<T extends object>(document: T): fc.Arbitrary<T> {
  const change = fc.tuple(fc.nat(), fc.constantFrom(...OTHERS, ...LISTS, "in a list"));
  return fc.array(change, { minLength: 1, maxLength: 2 }).map((changes) => {
    const copy = structuredClone(document);
    for (const [n, other] of changes) {
      const places = placesIn(copy);
      const [parent, name] = places[n % places.length] ?? [{}, ""];
      const parts = parent as Record<string, unknown>;
      if (other === "in a list") parts[name] = [parts[name]];
      else if (other !== undefined) parts[name] = structuredClone(other);
      else if (Array.isArray(parent)) parent.splice(Number(name), 1);
      else delete parts[name];
    }
    return copy;
  });
}
