import { setTimeout } from "node:timers/promises";
import type { Runtime } from "../../../scripts/service/runtime.ts";
import { workerdPids } from "../../../scripts/service/workerd.ts";

/**
 * Kills the process of the runtime, and waits until Miniflare has started another one with the same
 * data and ports. Works only on systems with /proc. Returns the runtime with the new process id.
 */
export async function restart(runtime: Runtime): Promise<Runtime> {
  const { miniflare, pid: killed = Number.NaN } = runtime;
  process.kill(killed, "SIGKILL");
  for (;;) {
    await setTimeout(20);
    const pid = workerdPids().find((other) => other !== killed);
    if (pid === undefined) continue;
    await miniflare.ready;
    return { ...runtime, pid };
  }
}
