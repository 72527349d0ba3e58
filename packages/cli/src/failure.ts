/** The exit codes of the program, for scripts. 64 is `EX_USAGE` of sysexits.h. */
export const EXIT = {
  error: 1,
  differences: 2,
  conflict: 3,
  approval: 4,
  access: 5,
  unreachable: 6,
  usage: 64,
} as const;

export type ExitName = keyof typeof EXIT;

/** A wrong field of a request, as the service names it. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

interface Extras {
  readonly remedy?: string | undefined;
  readonly code?: string | undefined;
  readonly details?: readonly FieldFault[];
  /** After how many seconds the rate limit of the service allows the request again. */
  readonly retryAfterS?: number | undefined;
}

/** An expected error, which ends the program with a message and no stack trace. */
export class Failure extends Error {
  readonly exit: ExitName;
  /** The message without the details. */
  readonly summary: string;
  /** What the user can do about the error, as a sentence. */
  readonly remedy: string | undefined;
  /** The `code` in the error response of the service. */
  readonly code: string | undefined;
  readonly details: readonly FieldFault[];
  readonly retryAfterS: number | undefined;

  constructor(exit: ExitName, summary: string, extras: Extras = {}) {
    const { remedy, code, details = [], retryAfterS } = extras;
    const lines = details.map(({ field, message }) => `${field} ${message}`);
    super([summary, ...lines].join("\n  "));
    this.exit = exit;
    this.summary = summary;
    this.remedy = remedy;
    this.code = code;
    this.details = details;
    this.retryAfterS = retryAfterS;
  }
}
