import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "./i18n/i18n.ts";
import { loadCode } from "./load-code.ts";

/**
 * Creates a component whose code, texts and styles load when the component is rendered, or, for the
 * component of a route, when the router preloads the route. If the file with the code is missing, a new
 * deployment has replaced the file, and the browser reloads the tab.
 */
export const lazyComponent = <T extends Record<string, unknown>, Name extends keyof T>(
  load: () => Promise<T>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    const [code] = await loadCode(() =>
      Promise.all([load(), loadTexts("pages"), import("./ui/controls.css")]),
    );
    return code;
  }, name);
