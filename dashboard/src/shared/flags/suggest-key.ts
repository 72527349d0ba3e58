/** The pattern that the API requires of flag keys. */
export const FLAG_KEY = /^[A-Za-z0-9._:-]{1,128}$/;
const MAX_LENGTH = 128;

/**
 * Derives a flag key from a name. For example, `Größe, neu` becomes `grosse-neu`. Empty if the name
 * has no Latin letter and no digit.
 */
export const suggestKey = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-|-$/g, "");
