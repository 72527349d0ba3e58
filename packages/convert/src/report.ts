/** Why a flag is not the same after the conversion, or why it was left out. */
export interface Reason {
  /** The environment; undefined if the reason concerns the whole flag. */
  readonly environment?: string | undefined;
  readonly message: string;
}

/**
 * What became of a flag.
 * - `exact`: it gives everybody the same result as before. This speaks of contexts that have the id of
 *   each roll-out and split, in ASCII characters, and values of the types of the constraints.
 * - `changed`: some contexts get another result; the reasons say which.
 * - `refused`: the file does not contain the flag; the reasons say why.
 */
export interface FlagReport {
  readonly key: string;
  readonly result: "exact" | "changed" | "refused";
  readonly reasons: readonly Reason[];
}

/** Ends the conversion of a flag, which is then left out. The message is the reason. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Throws: Refusal if there are more of something than a limit of the service (docs/api.md, Limits). */
export function assertAtMost(limit: number, count: number, what: string): void {
  if (count > limit) throw new Refusal(`has ${count} ${what}; ${limit} are possible`);
}

/** The reasons for which a flag is not the same, each once. */
export class Changes {
  readonly #reasons = new Map<string, Reason>();
  readonly #environment: string | undefined;

  constructor(environment?: string) {
    this.#environment = environment;
  }

  /** The reasons so far, in the order in which they were added. */
  get reasons(): readonly Reason[] {
    return [...this.#reasons.values()];
  }

  add(message: string): void {
    this.#reasons.set(message, { environment: this.#environment, message });
  }
}
