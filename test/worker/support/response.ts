export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A JSON answer whose shape a test asserts rather than declares. */
// oxlint-disable-next-line typescript/no-explicit-any -- each test reads other fields of it
export type Json = any;
