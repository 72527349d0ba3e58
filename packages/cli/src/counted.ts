/** Returns a number with its noun, such as `1 change` or `2 changes`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
