import type { SessionResponse, User } from "../api/types.ts";

export interface Session {
  accessToken: string;
  refreshToken: string;
  user: User;
  /** The time until which the user must set up a second factor; absent when not required. */
  mfaEnrollmentDeadline?: string;
}

/**
 * A session that the server ended. `endedFor` is the email of its user, who may sign in again and
 * continue on the page.
 */
export interface EndedSession {
  readonly endedFor: string;
}

// localStorage: the API hands tokens to scripts and sets no cookie, and the session must survive a
// reload and be shared by tabs. The content security policy allows scripts of this origin only,
// none inline, so injected scripts cannot read it.
const KEY = "feature-flags.session";

const listeners = new Set<() => void>();

interface Stored {
  readonly session: Session | null;
  readonly ended: EndedSession | null;
}

const NOTHING: Stored = { session: null, ended: null };
let parsed: { raw: string | null; stored: Stored } = { raw: null, stored: NOTHING };

function read(): Stored {
  const raw = localStorage.getItem(KEY);
  if (raw !== parsed.raw) parsed = { raw, stored: parse(raw) };
  return parsed.stored;
}

/** The stored session, also when another tab wrote it. Returns the same object until it changes. */
export const readSession = (): Session | null => read().session;

/** The session that the server ended in this browser, until somebody signs in or out. */
export const readEndedSession = (): EndedSession | null => read().ended;

/** Stores the session, or deletes it for null, and notifies every tab. */
export const writeSession = (session: Session | null): void => write(session);

/** Replaces `previous` by `next`. Returns the session that is stored afterwards. */
export const renewSession = (previous: Session, next: Session): Session | null =>
  replace(previous, next);

/** Marks `previous` as ended by the server. Returns the session that is stored afterwards. */
export const endSession = (previous: Session): Session | null =>
  replace(previous, { endedFor: previous.user.email });

/**
 * Does nothing when another tab has changed the session meanwhile, by a sign-out or another
 * sign-in.
 */
function replace(previous: Session, next: Session | EndedSession): Session | null {
  const stored = readSession();
  if (stored?.refreshToken !== previous.refreshToken) return stored;
  write(next);
  return readSession();
}

function write(value: Session | EndedSession | null): void {
  if (value) localStorage.setItem(KEY, JSON.stringify(value));
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/**
 * Calls `listener` after every change, in this tab or another. Returns the unsubscribe function.
 */
export function subscribeToSession(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // The key is null when the whole storage was cleared.
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

export function toSession({ token, refreshToken, user, ...rest }: SessionResponse): Session {
  const { mfaEnrollmentDeadline } = rest;
  return {
    accessToken: token,
    refreshToken,
    user,
    ...(mfaEnrollmentDeadline !== undefined && { mfaEnrollmentDeadline }),
  };
}

/** An unreadable entry counts as signed out. */
function parse(raw: string | null): Stored {
  if (raw === null) return NOTHING;
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== "object" || value === null) return NOTHING;
    if (isSession(value)) return { session: value, ended: null };
    return isEnded(value) ? { session: null, ended: value } : NOTHING;
  } catch {
    return NOTHING;
  }
}

const isSession = (value: object): value is Session =>
  "accessToken" in value && "refreshToken" in value && "user" in value;

const isEnded = (value: object): value is EndedSession => "endedFor" in value;
