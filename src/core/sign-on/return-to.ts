/** Any origin: only paths at the same origin are allowed. */
const ORIGIN = "https://dashboard.invalid";

const MAX_LENGTH = 2_000;

/**
 * Returns the path of the dashboard to which a sign-in returns. Any text that browsers could read as
 * another origin becomes `/`.
 */
export function safeReturnTo(text: string | undefined): string {
  if (text === undefined || text.length > MAX_LENGTH || !/^\/(?![/\\])/.test(text)) return "/";
  if (!URL.canParse(text, ORIGIN)) return "/";
  const { origin, pathname, search, hash } = new URL(text, ORIGIN);
  const path = `${pathname}${search}${hash}`;
  // Browsers drop tabs and line breaks, after which a path may begin with two slashes.
  return origin === ORIGIN && !path.startsWith("//") ? path : "/";
}

/** Returns a path of the dashboard with one more parameter. */
export function withParameter(path: string, name: string, value: string): string {
  const url = new URL(path, ORIGIN);
  url.searchParams.set(name, value);
  return `${url.pathname}${url.search}${url.hash}`;
}
