import { assertMigrationsComplete } from "./lib/drift.ts";

// Part of `npm run check`: a schema change without its migration must not land.
await assertMigrationsComplete();
