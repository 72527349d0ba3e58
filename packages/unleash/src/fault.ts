import type { Code } from "./note.ts";

/** Why something of a rule cannot be expressed. */
export interface Fault {
  readonly code: Code;
  /** See `Note`. */
  readonly detail?: string;
}

export const isFault = (value: object): value is Fault => "code" in value;
