interface Named {
  readonly id: number;
  readonly name: string;
}

/** Options of a Mantine `Select`, by id. */
export const selectOptionsOf = (items: readonly Named[]): { value: string; label: string }[] =>
  items.map(({ id, name }) => ({ value: String(id), label: name }));
