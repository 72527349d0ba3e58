import { lazyRouteComponent } from "@tanstack/react-router";
import { loadControls } from "../shared/ui/load-controls.ts";
import { loadCode } from "./load-code.ts";

/**
 * Creates a route component whose code loads when the user opens the route, or when the router
 * preloads the route. If the file with the code is missing, a new deployment has replaced the file,
 * and the router reloads the tab.
 */
export const lazyPage = <T extends Record<string, unknown>, Name extends keyof T>(
  load: () => Promise<T>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    const [page] = await loadCode(() => Promise.all([load(), loadControls()]));
    return page;
  }, name);
