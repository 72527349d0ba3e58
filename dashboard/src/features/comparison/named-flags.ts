/** The dialog of a copy names at most this many flags. */
const SHOWN = 8;

/**
 * Divides the flags of a copy into those that the dialog names and a number of further ones. `most`:
 * the greatest share of users, 0 to 1, who get another value of one of the further flags; 0 if none
 * is known. `moves`: the shares by the id of the flag.
 */
export function namedFlags<T extends { readonly flag: { readonly id: number } }>(
  flags: readonly T[],
  moves: ReadonlyMap<number, number> | undefined,
): { readonly named: readonly T[]; readonly more: number; readonly most: number } {
  const further = flags.slice(SHOWN);
  return {
    named: flags.slice(0, SHOWN),
    more: further.length,
    most: Math.max(0, ...further.map(({ flag }) => moves?.get(flag.id) ?? 0)),
  };
}
