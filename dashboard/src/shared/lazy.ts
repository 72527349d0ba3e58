import { lazyRouteComponent } from "@tanstack/react-router";
import { type ComponentType, lazy } from "react";
import { loadTexts } from "./i18n/i18n.ts";
import { loadCode } from "./load-code.ts";

type Load<T> = () => Promise<T>;

/** Loads code with the texts and styles that it needs. */
async function withTexts<T>(load: Load<T>): Promise<T> {
  const [code] = await loadCode(() =>
    Promise.all([load(), loadTexts("pages"), import("./ui/controls.css")]),
  );
  return code;
}

/**
 * Creates the component of a route. Its code loads when the user opens the route, or when the router
 * preloads the route. If the file with the code is missing, a new deployment has replaced the file, and
 * the browser reloads the tab.
 */
export const lazyPage = <T extends Record<string, unknown>, Name extends keyof T>(
  load: Load<T>,
  name: Name,
) => lazyRouteComponent(() => withTexts(load), name);

/**
 * Creates a component whose code loads when it is rendered, such as a menu or a dialog. A failed load is
 * repeated, because the page around the component can be used without it.
 */
export const lazyPart = <Props>(load: Load<ComponentType<Props>>) =>
  lazy(async () => ({ default: await untilLoaded(() => withTexts(load)) }));

/** The pause after a failed load, milliseconds. */
const RETRY_MS = 10_000;

/** Repeats `load` until it succeeds: after a pause, or when the browser is online again. */
async function untilLoaded<T>(load: Load<T>): Promise<T> {
  for (;;)
    try {
      return await load();
    } catch {
      await new Promise<unknown>((resolve) => {
        window.addEventListener("online", resolve, { once: true });
        setTimeout(resolve, RETRY_MS);
      });
    }
}
