export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A JSON response. The tests assert its fields instead of declaring its type. */
// oxlint-disable-next-line typescript/no-explicit-any -- each test reads different fields
export type Json = any;
