/** What is shown, as it stands in the address. */
export type AuditSearch = Record<string, never>;

export const validateAuditSearch = (_raw: Record<string, unknown>): AuditSearch => ({});
