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

/** An expected error, which ends the program with a message and no stack trace. */
export class Failure extends Error {
  readonly exit: ExitName;
  /** What the user can do about the error, as a sentence. */
  readonly remedy: string | undefined;
  /** The `code` in the error response of the service. */
  readonly code: string | undefined;

  constructor(
    exit: ExitName,
    message: string,
    { remedy, code }: { readonly remedy?: string; readonly code?: string | undefined } = {},
  ) {
    super(message);
    this.exit = exit;
    this.remedy = remedy;
    this.code = code;
  }
}
