/** What is shown, as it stands in the address. */
export type IntegrationSearch = Record<string, never>;

export const validateIntegrationSearch = (_raw: Record<string, unknown>): IntegrationSearch => ({});
