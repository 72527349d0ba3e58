import { lazily } from "../../core/lib/lazily.ts";

/** The check of responses of authenticators. Its library would slow down every start of an isolate. */
export const verification = lazily(() => import("./verification.ts"));
