interface Named {
  readonly id: number;
  readonly name: string;
}

/** To choose one of them in a `Select`, by its id. */
export const selectOptionsOf = (things: readonly Named[]): { value: string; label: string }[] =>
  things.map(({ id, name }) => ({ value: String(id), label: name }));
