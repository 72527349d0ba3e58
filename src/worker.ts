import { app } from "./app.ts";

export { RefreshFamilyObject } from "./platform/refresh-family-object.ts";

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
