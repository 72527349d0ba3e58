export const flag = {} as const;
