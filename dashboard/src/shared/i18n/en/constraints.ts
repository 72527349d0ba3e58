export const constraints = {} as const;
