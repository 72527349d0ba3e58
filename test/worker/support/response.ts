export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A JSON body whose type is not declared, because the tests assert its fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- each test reads different fields
export type Json = any;
