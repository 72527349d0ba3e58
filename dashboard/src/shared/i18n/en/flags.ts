export const flags = {} as const;
