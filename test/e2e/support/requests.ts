import type { Page, Request } from "@playwright/test";
import { NEXT_FRAME } from "./test.ts";

/** The API requests that a page sends. */
export interface Requests {
  /** Their methods and paths so far, sorted, with `{id}` instead of ids. */
  readonly paths: () => string[];
  /** Waits until the whole page has loaded, with the code of its menus. */
  readonly untilQuiet: () => Promise<void>;
  readonly stop: () => void;
}

/** A page counts as loaded when this many checks in a row find no running request. */
const QUIET_LOOKS = 3;

/** Records the API requests of the page from now on, except its event stream. */
export function recordRequests(page: Page): Requests {
  const paths: string[] = [];
  let running = 0;
  const onRequest = (request: Request) => {
    if (isStream(request)) return;
    running++;
    const { pathname, searchParams } = new URL(request.url());
    // The flag page records a second after it is shown that the user has opened it.
    if (request.method() === "POST" && pathname === "/api/v1/auth/me/preferences") return;
    // The list of projects has more pages with each test that has made projects.
    if (pathname === "/api/v1/projects" && Number(searchParams.get("page")) > 0) return;
    if (pathname.startsWith("/api/"))
      paths.push(`${request.method()} ${pathname.replaceAll(/\/\d+/g, "/{id}")}`);
  };
  const onEnd = (request: Request) => {
    if (!isStream(request)) running--;
  };
  page.on("request", onRequest).on("requestfinished", onEnd).on("requestfailed", onEnd);
  return {
    paths: () => paths.toSorted(),
    untilQuiet: async () => {
      for (let quiet = 0; quiet < QUIET_LOOKS;) {
        const seen = paths.length;
        await page.evaluate(NEXT_FRAME);
        quiet = running > 0 || paths.length > seen ? 0 : quiet + 1;
      }
    },
    stop: () => {
      page.off("request", onRequest).off("requestfinished", onEnd).off("requestfailed", onEnd);
    },
  };
}

const isStream = (request: Request): boolean => request.url().endsWith("/stream");
