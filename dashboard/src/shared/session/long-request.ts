/** Where this browser tab keeps a request. */
const KEY = "feature-flags.authorization-request";

/** The value of the parameter `request` that stands for the request that this tab keeps. */
const KEPT = "kept";

/** The longest path to which the service returns after a visit to an identity provider, characters. */
const MAX_PATH = 2_000;

const pathOf = ({ pathname, search, hash }: URL): string => `${pathname}${search}${hash}`;

/**
 * Returns the path of a page, short enough for a visit to an identity provider. If the request of an OAuth
 * client makes it too long, the tab keeps the request, and the path refers to it.
 */
export function shortPath(url: URL): string {
  const request = url.searchParams.get("request");
  if (request === null || pathOf(url).length <= MAX_PATH) return pathOf(url);
  sessionStorage.setItem(KEY, request);
  const short = new URL(url);
  short.searchParams.set("request", KEPT);
  return pathOf(short);
}

/** Returns the request of a path; undefined if the path refers to one that this tab does not keep. */
export const fullRequest = (request: string): string | undefined =>
  request === KEPT ? (sessionStorage.getItem(KEY) ?? undefined) : request;
