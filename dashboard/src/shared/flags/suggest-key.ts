/** As the API has it. */
export const KEY = /^[A-Za-z0-9._:-]{1,128}$/;
const MAX_LENGTH = 128;

/** The key that a name suggests: `Größe, neu` gives `grosse-neu`. */
export const suggestKey = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-|-$/g, "");
