import { type Bindings, counts, type Method } from "./counts.ts";
import { metered } from "./metered-bindings.ts";
import { clock } from "./moved-clock.ts";

interface Storage {
  readonly kv?: object;
  readonly sql: object;
  deleteAlarm(): Promise<void>;
}

interface Id {
  toString(): string;
}

interface State {
  readonly id: Id;
  readonly storage: Storage;
}

interface ServiceObject {
  readonly ctx: State;
  alarm?: (this: ServiceObject, ...values: unknown[]) => Promise<void>;
}

interface KnownObject {
  readonly id: Id;
  /** The name of the binding of the object's class. */
  readonly binding: string;
  /** The time of the alarm on the moved clock; undefined without an alarm. */
  alarmAt: number | undefined;
}

/** The objects that this isolate has run, by id. */
const objects = new Map<string, KnownObject>();
const byStorage = new WeakMap<object, KnownObject>();

/** Makes the replacement of a method, from the method. */
type Patch = (method: Method) => (this: object, ...values: never[]) => unknown;

const patched = new WeakSet();

/** Replaces methods in the class of a platform object, once for each class. */
function patch(instance: object | undefined, patches: Readonly<Record<string, Patch>>): void {
  if (instance === undefined) return;
  const prototype = Object.getPrototypeOf(instance) as Record<string, Method>;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  for (const [name, replacementOf] of Object.entries(patches)) {
    const method = prototype[name];
    if (method) prototype[name] = replacementOf(method);
  }
}

const call = (method: Method, self: object, values: readonly unknown[]): unknown =>
  Reflect.apply(method, self, values as never[]);

/** Counts the keys of a call as written rows. A call has one key, a list, or an object of keys. */
const countKeys: Patch = (method) =>
  function counted(...values) {
    const [keys] = values as readonly unknown[];
    counts.objectRowsWritten += typeof keys === "object" && keys ? Object.keys(keys).length : 1;
    return call(method, this, values);
  };

const countRows: Patch = (method) =>
  function counted(...values) {
    const cursor = call(method, this, values) as { readonly rowsWritten: number };
    // A statement with RETURNING has written all rows once the caller has read its results.
    queueMicrotask(() => {
      counts.objectRowsWritten += cursor.rowsWritten;
    });
    return cursor;
  };

/** Counts an alarm as a row, as Cloudflare does. Sets the alarm to the real time. */
const setAlarm: Patch = (method) =>
  function counted(time, ...options) {
    counts.objectRowsWritten += 1;
    const object = byStorage.get(this);
    if (object) object.alarmAt = Number(time);
    return call(method, this, [Number(time) - clock.moved, ...options]);
  };

const getAlarm: Patch = (method) =>
  async function moved(...values) {
    const at = (await call(method, this, values)) as number | null;
    return at === null ? null : at + clock.moved;
  };

const deleteAlarm: Patch = (method) =>
  function forgotten(...values) {
    const object = byStorage.get(this);
    if (object) object.alarmAt = undefined;
    return call(method, this, values);
  };

/** Makes the storage of all objects count the rows that it writes. */
function meterStorage(storage: Storage): void {
  patch(storage.sql, { exec: countRows });
  patch(storage.kv, { put: countKeys, delete: countKeys });
  patch(storage, { put: countKeys, delete: countKeys, setAlarm, getAlarm, deleteAlarm });
}

/**
 * Returns the class of a Durable Object, extended to count what its objects do. `binding`: the name
 * of the binding of the class.
 */
export function meteredObject(
  service: new (state: never, env: never) => ServiceObject,
  binding: string,
): unknown {
  class Metered extends service {
    constructor(state: State, env: Bindings) {
      meterStorage(state.storage);
      const id = state.id.toString();
      const known = objects.get(id) ?? { id: state.id, binding, alarmAt: undefined };
      objects.set(id, known);
      byStorage.set(state.storage, known);
      super(state as never, metered(env, "jobStatements") as never);
    }

    /** Runs the alarm if the moved clock has reached its time. */
    async runDueAlarm(): Promise<void> {
      const { alarmAt = Number.POSITIVE_INFINITY } = byStorage.get(this.ctx.storage) ?? {};
      if (alarmAt > Date.now()) return;
      await this.ctx.storage.deleteAlarm();
      await this.alarm?.();
    }
  }
  const { alarm } = service.prototype as ServiceObject;
  if (alarm)
    Metered.prototype.alarm = async function counted(...values) {
      counts.objectRequests += 1;
      const object = byStorage.get(this.ctx.storage);
      if (object) object.alarmAt = undefined;
      await alarm.apply(this, values);
    };
  return Metered;
}

interface Namespace {
  get(id: Id): { runDueAlarm(): Promise<void> };
}

/** Runs the alarms of all objects whose time the moved clock has reached. */
export async function runDueAlarms(env: Bindings): Promise<void> {
  for (const { id, binding } of objects.values())
    await (env[binding] as unknown as Namespace).get(id).runDueAlarm();
}
