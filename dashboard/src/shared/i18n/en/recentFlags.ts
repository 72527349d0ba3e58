/** The texts about the flags that the user opened last. */
export const recentFlags = {
  title: "Recently opened",
} as const;
