import { type ComponentType, lazy, type ReactNode, useState } from "react";
import { loadCode } from "./load-code.ts";

/** A component whose code loads when the component is rendered, or before with `preload`. */
export type LazyView<Props> = ComponentType<Props> & { readonly preload: () => Promise<unknown> };

/**
 * Like `lazy` of React. A component that has loaded with `preload` renders at once, while React's
 * would show the placeholder of its Suspense boundary first, and keep it for 300 ms.
 */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyView<Props> {
  let loaded: ComponentType<Props> | undefined;
  const preload = async () => (loaded = await loadCode(load));
  const Lazy = lazy(async () => ({ default: await preload() }));
  function View(props: Props): ReactNode {
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return <Component {...props} />;
  }
  return Object.assign(View, { preload });
}
