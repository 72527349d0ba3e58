import { beforeEach, expect, test, vi } from "vitest";

const SESSION = {
  accessToken: "access",
  refreshToken: "refresh",
  user: { id: 1, email: "ann@example.com" },
};

let items: Map<string, string>;
let onStorage: (event: object) => void;
/** A new tab, whose storage has a session. */
async function openTab() {
  items = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  vi.stubGlobal("window", {
    addEventListener: (_type: string, listener: typeof onStorage) => (onStorage = listener),
  });
  vi.resetModules();
  const store = await import("../../dashboard/src/shared/session/session-store.ts");
  store.writeSession(SESSION as never);
  store.readSession();
  return store;
}

beforeEach(() => vi.unstubAllGlobals());

test("a session that the browser has deleted without an event ends, and the page can ask the user to sign in again", async () => {
  const store = await openTab();
  const listener = vi.fn<() => void>();
  store.subscribeToSession(listener);
  store.endDeletedSession();
  expect(store.readEndedSession()).toBeNull();
  items.clear();
  store.endDeletedSession();
  expect(store.readEndedSession()).toEqual({ endedFor: "ann@example.com" });
  expect(listener).toHaveBeenCalledOnce();
});

test("a user who has signed out, here or in another tab, is not asked to sign in again", async () => {
  const here = await openTab();
  here.writeSession(null);
  here.endDeletedSession();
  expect(here.readEndedSession()).toBeNull();
  const elsewhere = await openTab();
  elsewhere.subscribeToSession(() => {});
  const [key] = items.keys();
  items.clear();
  onStorage({ key, newValue: null });
  elsewhere.endDeletedSession();
  expect(elsewhere.readEndedSession()).toBeNull();
});
