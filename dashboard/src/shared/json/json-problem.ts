export interface JsonProblem {
  /** The JSON pointer (RFC 6901) of the place. Empty for the whole value. */
  readonly pointer: string;
  readonly message: string;
}
