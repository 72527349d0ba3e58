/** Fields that the inputs of many verbs share. */

export interface ById {
  readonly id: number;
}

export interface ByIdIfMatch extends ById {
  /** The versions of the row that `If-Match` accepts; undefined accepts any. */
  readonly ifMatch?: readonly number[] | undefined;
}

export interface InProject {
  /** Undefined: the project of the session or key; without one, all projects. */
  readonly projectId?: number | undefined;
}

/** New values for some fields of `T`. A field that is undefined keeps its value. */
export type ChangeOf<T> = { readonly [K in keyof T]?: T[K] | undefined };
