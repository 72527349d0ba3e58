let loaded: typeof import("./request-schemas.ts") | undefined;

/**
 * Returns the schemas of usage reports and of calls through service bindings. They are imported with
 * the first such request, because Zod is a third of the code that an isolate would have to load.
 */
export const requestSchemas = async (): Promise<typeof import("./request-schemas.ts")> =>
  (loaded ??= await import("./request-schemas.ts"));
