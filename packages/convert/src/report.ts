import { type Details, type DetailsOf, filled, type ReasonCode, REASONS } from "./words.ts";

/** Why a flag is not the same after the conversion, or why it was left out. */
export interface Reason {
  /** The environment; undefined if the reason concerns the whole flag. */
  readonly environment?: string | undefined;
  readonly code: ReasonCode;
  /** What the placeholders in the text of the code stand for. */
  readonly details: Details;
}

/** Whether some contexts get another result for the reason. Otherwise it is a note about an exact flag. */
export const isChange = ({ code }: Reason): boolean => code !== "permanent";

/** Returns a reason in English. */
export function reasonText({ environment, code, details }: Reason): string {
  const text = filled(REASONS[code], details);
  return environment === undefined ? text : `${environment}: ${text}`;
}

/** Returns details with `""` for an empty or missing name, which would leave a gap in a sentence. */
const withoutGaps = ([details = {}]: [Details?]): Details =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      String(value ?? "").trim() === "" ? '""' : value,
    ]),
  );

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

/** Ends the conversion of a flag, which is then left out. */
export class Refusal<Code extends ReasonCode = ReasonCode> extends Error {
  override readonly name = "Refusal";
  readonly code: Code;
  readonly details: Details;

  constructor(code: Code, ...details: DetailsOf<(typeof REASONS)[Code]>) {
    const given = withoutGaps(details as [Details?]);
    super(filled(REASONS[code], given));
    this.code = code;
    this.details = given;
  }
}

/** The reasons for which a flag is not the same, each once. */
export class Changes {
  /** The environment that is converted at present; undefined for what concerns the whole flag. */
  environment: string | undefined;
  readonly #reasons = new Map<string, Reason>();

  /** The reasons so far, in the order in which they were added. */
  get reasons(): readonly Reason[] {
    return [...this.#reasons.values()];
  }

  add<Code extends ReasonCode>(code: Code, ...details: DetailsOf<(typeof REASONS)[Code]>): void {
    const given = withoutGaps(details as [Details?]);
    const reason = { environment: this.environment, code, details: given };
    this.#reasons.set(JSON.stringify(reason), reason);
  }
}
