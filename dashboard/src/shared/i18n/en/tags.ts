export const tags = {} as const;
