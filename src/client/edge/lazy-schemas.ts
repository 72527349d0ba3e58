import { lazily } from "../../core/lib/lazily.ts";

/**
 * The schemas of usage reports and of calls through service bindings. They are imported with the first
 * such request, because Zod is a third of the code that an isolate would have to load.
 */
export const requestSchemas = lazily(() => import("./request-schemas.ts"));
