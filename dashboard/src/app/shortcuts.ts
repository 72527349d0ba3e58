/** The letters that follow `g`, by the name of the page in `navigation-pages.ts`. */
export const PAGE_KEYS: Readonly<Record<string, string>> = {
  flags: "f",
  changeRequests: "r",
  schedule: "d",
  playground: "p",
  insights: "i",
  segments: "s",
  contexts: "c",
  tags: "t",
  environments: "e",
  apiKeys: "k",
  integrations: "w",
  audit: "a",
  projectSettings: ",",
  users: "u",
  serviceAccounts: "v",
  wholeAudit: "l",
  settings: "o",
};

/** The letter that follows `g` for the list of projects. */
export const PROJECTS_KEY = "j";

/** Returns the keys as the dashboard shows them, such as `G F`. Undefined for a page without keys. */
export function keysOf(page: string): string | undefined {
  const key = PAGE_KEYS[page];
  return key === undefined ? undefined : `G ${key.toUpperCase()}`;
}

/** Returns the selector of the button or link of the current page that a key presses. */
export const pressedBy = (key: string): string =>
  `#content [aria-keyshortcuts="${CSS.escape(key)}"]`;
