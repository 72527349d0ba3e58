import { useCallback, useEffect, useRef, useState } from "react";

type Resource<T> =
  | { status: "loading" }
  | { status: "failed"; error: unknown }
  | { status: "ready"; data: T };

/**
 * Loads something for as long as the component is shown.
 * `load` must be the same function at every render: declare it outside, or memoise it.
 */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> & { reload: () => void } {
  const [resource, setResource] = useState<Resource<T>>({ status: "loading" });
  const running = useRef<AbortController>(null);

  const start = useCallback(() => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const settle = (next: Resource<T>) => {
      if (!controller.signal.aborted) setResource(next);
    };
    load(controller.signal).then(
      (data) => settle({ status: "ready", data }),
      (error: unknown) => settle({ status: "failed", error }),
    );
  }, [load]);

  useEffect(() => {
    start();
    return () => running.current?.abort();
  }, [start]);

  const reload = useCallback(() => {
    setResource({ status: "loading" });
    start();
  }, [start]);

  return { ...resource, reload };
}
