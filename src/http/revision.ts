/** The form of a revision or of an event id. More than 15 digits are not a safe integer. */
const REVISION = /^\d{1,15}$/;

/**
 * Parses a revision, or the id of another event stream, from a header or a query parameter. Returns
 * undefined when the text is missing or is no such number.
 */
export const parseRevision = (text: string | null | undefined): number | undefined =>
  typeof text === "string" && REVISION.test(text) ? Number(text) : undefined;
