/** What is shown, as it stands in the address. */
export type PlaygroundSearch = Record<string, never>;

export const validatePlaygroundSearch = (_raw: Record<string, unknown>): PlaygroundSearch => ({});
