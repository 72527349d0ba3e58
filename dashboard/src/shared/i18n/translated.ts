/** The type of the texts in another language. It has the same keys as `T`, no more and no fewer. */
export type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]>;
};
