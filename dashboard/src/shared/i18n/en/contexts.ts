export const contexts = {} as const;
