export interface ById {
  readonly id: number;
}

export interface ByIdIfMatch extends ById {
  /** The versions of the row that the request header `If-Match` accepts. Undefined accepts every version. */
  readonly ifMatch?: readonly number[] | undefined;
}

export interface ListInProject {
  /**
   * The project whose rows are listed. Undefined means the project of the session or API key, or
   * all projects if the session has none.
   */
  readonly projectId?: number | undefined;
  /**
   * Whether each row of the list contains counts, such as the number of flags of a project. They
   * cost further reads of the database.
   */
  readonly counts?: boolean | undefined;
}

/** New values for some fields of `T`. An undefined field keeps its value. */
export type ChangeOf<T> = { readonly [K in keyof T]?: T[K] | undefined };
