import { UnavailableError } from "../../core/errors/unavailable-error.ts";
import type { Planned } from "../../db/commit.ts";
import { withTimeout } from "../runtime/timeout.ts";

/** The timeout of a call that only sets an alarm, milliseconds. */
const WAKE_TIMEOUT_MS = 5_000;
/** The timeout of a call that runs what is due, milliseconds. */
const RUN_TIMEOUT_MS = 60_000;

type Scheduler = ReturnType<Env["SCHEDULERS"]["getByName"]>;

/** Each project has one scheduler, named by its id. Throws: `UnavailableError`. */
async function call<T>(
  env: Env,
  projectId: number,
  timeoutMs: number,
  method: (object: Scheduler) => Promise<T>,
): Promise<T> {
  try {
    const object = env.SCHEDULERS.getByName(String(projectId));
    return await withTimeout(timeoutMs, () => method(object));
  } catch (error) {
    throw new UnavailableError("The scheduler of a project does not respond", { cause: error });
  }
}

/** Makes the scheduler of a project wake at a time, unless it wakes earlier. */
export const wakeScheduler = (env: Env, { projectId, at }: Planned): Promise<void> =>
  call(env, projectId, WAKE_TIMEOUT_MS, async (object) => object.wake(projectId, at));

/** Makes the scheduler of a project run what is due now. */
export const runScheduler = (env: Env, projectId: number): Promise<void> =>
  call(env, projectId, RUN_TIMEOUT_MS, async (object) => object.run(projectId));
