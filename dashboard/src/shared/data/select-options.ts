interface Named {
  readonly id: number;
  readonly name: string;
}

/** Converts items to options of a Mantine `Select`. */
export const selectOptionsOf = (items: readonly Named[]): { value: string; label: string }[] =>
  items.map(({ id, name }) => ({ value: String(id), label: name }));
