import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { pageShown } from "../page-shown.ts";
import { loadControls } from "./load-controls.ts";

/**
 * Returns a component whose code loads after the first page is shown, so that the page does not wait
 * for the code of menus and dialogs. Until then `Placeholder` is shown. It must not look like a
 * control, because a click on it does nothing.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Placeholder: ComponentType<Props> = Nothing,
): ComponentType<Props> {
  const Loaded = lazy(async () => {
    await pageShown;
    const [component] = await untilLoaded(() => Promise.all([load(), loadControls()]));
    return { default: component };
  });
  return function Deferred(props: Props): ReactNode {
    return (
      <Suspense fallback={<Placeholder {...props} />}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

/** The pause after a failed load, milliseconds. */
const RETRY_MS = 10_000;

/** Repeats `load` until it succeeds: after a pause, or when the browser is online again. */
async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await load();
    } catch {
      await new Promise<void>((resolve) => {
        window.addEventListener("online", () => resolve(), { once: true });
        setTimeout(resolve, RETRY_MS);
      });
    }
}

const Nothing = () => null;
