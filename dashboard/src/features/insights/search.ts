/** What is shown, as it stands in the address. */
export type InsightsSearch = Record<string, never>;

export const validateInsightsSearch = (_raw: Record<string, unknown>): InsightsSearch => ({});
